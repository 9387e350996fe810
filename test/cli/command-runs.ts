/** Runs commands on a database in the process of the tests. */
import assert from 'node:assert/strict'
import { frames, settingsFor, wordsOf, type Ran } from '../support/cli.js'
import type { TestDatabase } from '../support/database.js'

/** A line as a person types it after `frames`, or its words. */
type Line = string | readonly string[]

export type CommandRuns = {
  run: (line: Line) => Promise<Ran>
  /** Runs a command with --json, and returns its result. */
  json: <Value>(line: Line) => Promise<Value>
  /** The command could not do it: usage.test.ts has the words that are wrong by themselves. */
  refused: (message: RegExp, line: Line) => Promise<void>
}

export function commandsOn(database: () => Pick<TestDatabase, 'ownerTarget'>): CommandRuns {
  const run = (line: Line, ...more: string[]) =>
    frames([...(typeof line === 'string' ? wordsOf(line) : line), ...more], settingsFor(database().ownerTarget))

  async function json<Value>(line: Line): Promise<Value> {
    const ran = await run(line, '--json')
    assert.equal(ran.status, 0, ran.err)
    return JSON.parse(ran.out) as Value
  }
  async function refused(message: RegExp, line: Line): Promise<void> {
    const ran = await run(line)
    assert.deepEqual([ran.status, ran.out], [1, ''], `${String(line)}: ${ran.err}`)
    assert.match(ran.err, message)
    assert.doesNotMatch(ran.err, /node:internal|at .*\.js:/, 'a sentence, not a stack')
  }
  return { run, json, refused }
}

/** Commands that run on a database of the suite's own. */
import assert from 'node:assert/strict'
import { frames } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

export type CommandRuns = {
  database: TestDatabase
  env: Record<string, string>
  /** Runs a command with --json, and answers with its result. */
  json: <Value>(...words: string[]) => Promise<Value>
  refused: (status: number, message: RegExp, ...words: string[]) => Promise<void>
}

/** Makes the database before the tests of a suite. */
export function commandRuns(): CommandRuns {
  const runs = { json, refused } as CommandRuns
  before(async () => {
    runs.database = await newDatabase('frames')
    const target = runs.database.ownerTarget
    runs.env = typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }
  })
  after(() => runs.database.drop())

  async function json<Value>(...words: string[]): Promise<Value> {
    const ran = await frames([...words, '--json'], runs.env)
    assert.equal(ran.status, 0, ran.err)
    return JSON.parse(ran.out) as Value
  }
  async function refused(status: number, message: RegExp, ...words: string[]): Promise<void> {
    const ran = await frames(words, runs.env)
    assert.deepEqual([ran.status, ran.out], [status, ''], `${words.join(' ')}: ${ran.err}`)
    assert.match(ran.err, message)
    assert.doesNotMatch(ran.err, /node:internal|at .*\.js:/, 'a sentence, not a stack')
  }
  return runs
}

/** Runs the command line for tests: in the test's process, or in a process of its own as a person does. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { program as runProgram } from '../../src/tools/cli/program.js'
import { readConfig } from '../../src/server/config.js'
import type { Target } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { endsWithTests } from './children.js'
import { describedAt } from './description.js'

const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))

export type Ran = { status: number | null; out: string; err: string }
export type Started = {
  child: ChildProcess
  url: string
  opsUrl: string
  /** All that it has printed so far. */
  stdout: () => string
  stderr: () => string
  ended: Promise<Ran>
}

/** A service of a test takes any free ports: a person may have a service on the usual ones. */
const anyPorts = { PORT: '0', OPS_PORT: '0' }

/** Keeps DATABASE_URL and the other settings of the test run from the program. */
function spawnProgram(words: string[], env: Record<string, string>): Omit<Started, 'url' | 'opsUrl'> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, ...anyPorts, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endsWithTests(child)
  let out = ''
  let err = ''
  child.stdout?.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (err += data.toString()))
  const ended = new Promise<Ran>((done) => child.once('close', (status) => done({ status, out, err })))
  return { child, stdout: () => out, stderr: () => err, ended }
}

/** The settings of a command that works on this database. */
export const settingsFor = (target: Target): Record<string, string> =>
  typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }

/** Splits a line into words as a shell does: quotes keep blanks together. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, one?: string, other?: string) => one ?? other ?? ''),
  )

/** Starts a command that runs while the test does something to it. */
export const startFrames = (words: string[], env: Record<string, string>) => spawnProgram(words, env)

/** Runs a command for tests about its process: signals, exit, environment. */
export const framesProcess = (words: string[], env: Record<string, string>): Promise<Ran> =>
  spawnProgram(words, env).ended

/** Runs a command as main.ts does, in this process: another takes a second to start. */
export async function frames(words: string[], env: Record<string, string>): Promise<Ran> {
  const ran: Ran = { status: 0, out: '', err: '' }
  const print = { out: (text: string) => (ran.out += `${text}\n`), err: (text: string) => (ran.err += `${text}\n`) }
  ran.status = await runProgram(words, print, () => readConfig({ ...anyPorts, ...env }))
  return ran
}

/** Starts serving and waits until it listens. */
export async function startServe(env: Record<string, string>, words: string[] = []): Promise<Started> {
  const started = spawnProgram(['serve', ...words], env)
  const listening = new Promise<string>((done) => {
    const look = setInterval(() => {
      const url = /Listening on (\S+)/.exec(started.stderr())?.[1]
      if (url === undefined) return
      clearInterval(look)
      done(url)
    }, 50)
    void started.ended.then(() => clearInterval(look))
  })
  const gone = started.ended.then((ran): string => {
    throw new Error(`serve ended with ${ran.status}: ${ran.err}`)
  })
  const url = await Promise.race([listening, gone])
  void started.ended.then(describedAt(url))
  return { ...started, url, opsUrl: /Probes and metrics on (\S+):/.exec(started.stderr())?.[1] ?? '' }
}

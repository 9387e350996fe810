import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/db/statement.js'

const module = new URL('dist/src/server/runtime/log-lines.js', projectFolder).href

/** Runs a program that has a log of its own; answers with what came out, however it ended. */
const outputOf = (program: string): Promise<string> =>
  promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `import pino from ${JSON.stringify(import.meta.resolve('pino'))}
    import { logLines } from ${JSON.stringify(module)}
    const log = pino({ timestamp: false, base: null }, logLines())
    const say = (from, to) => { for (let i = from; i <= to; i += 1) log.info(String(i)) }
    ${program}`,
  ]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )

const messages = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

const upTo = (last: number) => Array.from({ length: last }, (_, i) => String(i + 1))

describe('lines of the log', () => {
  for (const [how, program] of [
    ['the process ends by itself', 'say(1, 500)'],
    ['the process is told to end in the same turn', 'say(1, 500); process.exit(0)'],
    ['an error that nobody caught ends the process', 'say(1, 500); throw new Error("on purpose")'],
    ['more come turn after turn', 'for (let i = 0; i < 50; i += 1) { say(i * 10 + 1, i * 10 + 10); await null }'],
    [
      'more come while they are written',
      'say(1, 250); setImmediate(() => { say(251, 400); setImmediate(() => say(401, 500)) })',
    ],
  ] as const) {
    it(`all come out, in order, when ${how}`, async () => {
      assert.deepEqual(messages(await outputOf(program)), upTo(500))
    })
  }

  it('are out before the process ends when one is fatal', async () => {
    const output = await outputOf('say(1, 3); log.fatal("4"); process.kill(process.pid, "SIGKILL")')
    assert.deepEqual(messages(output), upTo(4))
  })
})

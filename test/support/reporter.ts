/** Prints a line for each file of tests, and writes what ran to the file that TEST_REPORT names. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { projectFolder } from '../../src/core/db/statement.js'

export type Ran = { file: string; title: string; ms: number; failed: boolean }

const compiled = fileURLToPath(new URL('dist/test/', projectFolder))
const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Mocha.Runner.constants

export default class Reporter extends Mocha.reporters.Base {
  readonly #ran: Ran[] = []
  #printed = 0

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    const add = (test: Mocha.Runnable, failed: boolean) => {
      const file = relative(compiled, test.file ?? '').replace(/\.js$/, '.ts')
      if (this.#ran.length > this.#printed && this.#ran.at(-1)?.file !== file) this.#printFile()
      this.#ran.push({ file, title: test.fullTitle(), ms: test.duration ?? 0, failed })
    }
    runner.on(EVENT_TEST_PASS, (test) => add(test, false))
    runner.on(EVENT_TEST_FAIL, (test) => add(test, true))
    // A test that does not run is a test that fails: nothing is left out in silence.
    runner.on(EVENT_TEST_PENDING, (test) => add(test, true))
    runner.once(EVENT_RUN_END, () => {
      this.#printFile()
      this.epilogue()
      const report = process.env['TEST_REPORT']
      if (report !== undefined) writeFileSync(report, JSON.stringify(this.#ran))
    })
  }

  #printFile(): void {
    const tests = this.#ran.slice(this.#printed)
    this.#printed = this.#ran.length
    if (tests.length === 0) return
    const seconds = tests.reduce((sum, { ms }) => sum + ms, 0) / 1000
    const failed = tests.filter((test) => test.failed)
    const note = failed.length > 0 ? `, ${failed.length} failed` : ''
    console.log(`  ${tests[0]?.file}: ${tests.length} tests, ${seconds.toFixed(1)} s${note}`)
    const shown = process.env['TEST_TITLES'] ? tests : failed
    for (const { title, ms, failed: isFailed } of shown) console.log(`    ${isFailed ? '✖' : '✔'} ${title} (${ms} ms)`)
  }
}

/** What mocha runs around the test files: once for a run, and in each of its processes. */
import { forgetFaults, sayFaults } from './faults.js'
import { startShared } from './service.js'
import { onPostgres, templates } from './templates.js'
import { runFolder } from './temporary.js'

/** Mocha calls it once, before it deals the test files out to its processes. */
export async function mochaGlobalSetup(): Promise<void> {
  const where = onPostgres
    ? 'a PostgreSQL and a Redis that are started for them'
    : 'an embedded PostGIS, nothing else is needed. TEST_DATABASE=postgres runs more'
  console.log(`Tests over real HTTP on ${where}. Two files run at a time; each prints its tests when it has ended.`)
  runFolder()
  await templates()
}

export const mochaHooks = {
  /** Before each file; the service starts with the first. */
  async beforeAll(this: Mocha.Context) {
    this.timeout(300_000)
    await startShared()
  },
  beforeEach: forgetFaults,
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') sayFaults()
  },
}

/** Mocha runs these hooks around the test files: some once for a run, the others in each of its processes. */
import { clearFaults, printFaults } from './faults.js'
import { startShared } from './service.js'
import { templates } from './templates.js'
import { runFolder } from './temporary.js'

/** Mocha calls it once, before it deals the test files out to its processes. */
export async function mochaGlobalSetup(): Promise<void> {
  runFolder()
  await templates()
}

export const mochaHooks = {
  /** Runs before each file; the service starts with the first of its process. */
  async beforeAll(this: Mocha.Context) {
    this.timeout(300_000)
    await startShared()
  },
  beforeEach: clearFaults,
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') printFaults()
  },
}

/** Starts the shared service before the first test and stops what the run started after the last. */
import { forgetTemplates } from './database.js'
import { forgetFaults, sayFaults } from './faults.js'
import { stopPostgres } from './postgres-server.js'
import { stopRedis } from './redis-server.js'
import { startShared, stopShared } from './service.js'

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(300_000)
    await startShared()
  },
  beforeEach: forgetFaults,
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') sayFaults()
  },
  async afterAll() {
    await stopShared()
    await forgetTemplates()
    await stopPostgres()
    await stopRedis()
  },
}

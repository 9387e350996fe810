/** Starts the shared service before the first test and stops what the run started after the last. */
import { forgetTemplates, onPostgres } from './database.js'
import { forgetFaults, sayFaults } from './faults.js'
import { stopPostgres } from './postgres-server.js'
import { stopRedis } from './redis-server.js'
import { startShared, stopShared } from './service.js'

/** On a machine with nothing else to do. */
const ALL_TAKE = onPostgres ? 'about 15 minutes' : 'about 10 minutes'

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(300_000)
    console.log(whatComes(this.test?.parent?.total() ?? 0))
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

/** For whoever starts the suite and sees nothing for a while. */
const whatComes = (tests: number) =>
  `${tests} tests, over real HTTP on ${
    onPostgres
      ? 'a PostgreSQL and a Redis that are started for them, in temporary folders'
      : 'an embedded PostGIS in a temporary folder; nothing else is needed. TEST_DATABASE=postgres has more'
  }.\nA few start whole programs and take up to half a minute each. All of them take ${ALL_TAKE} on two cores.`

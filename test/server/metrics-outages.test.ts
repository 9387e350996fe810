import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from '../load/files.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { requestsRise, risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { startRedis } from '../support/redis-server.js'
import { ask, bearer, mint, startService, type Service } from '../support/service.js'

describe('the metrics', () => {
  let database: TestDatabase
  before(async () => {
    database = await newDatabase('frames')
  })
  after(() => database.drop())

  const get = ({ url, secret }: Service) => ask(`${url}/v1/frames/at?lat=0.105&lon=0.205`, { headers: bearer(secret) })

  it('count statements refused as too many were under way', async () => {
    const full = await startService(database, { ops: true, queries: { queueMax: 0 } })
    try {
      assert.deepEqual(await risen(full.opsUrl, () => get(full)), {
        ...requestsRise('/v1/frames/at', 500),
        frames_database_refused_busy_total: 1,
      })
    } finally {
      await full.stop()
    }
  })

  it('count reads asked again, connections opened anew and statements given up, and show those under way', async () => {
    const hasty = await startService(database, { ops: true, queries: { deadlineMs: 700 } })
    const admin = connect(database.adminTarget)
    /** Does something while no statement can read the keys. */
    const locked = (work: () => Promise<void>) =>
      admin.transaction(async (run) => {
        await run('lock table api_key in access exclusive mode', [])
        await work()
      })
    const waiting = async () => sampleOf(await scrape(hasty.opsUrl), 'frames_database_queries_in_flight') === 1
    try {
      const call = () => get(hasty)
      let answer: ReturnType<typeof call> | undefined
      const cut = await risen(hasty.opsUrl, async () => {
        await locked(async () => {
          answer = call()
          await until(waiting)
          await until(async () => {
            const found = await admin.rows(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where wait_event_type = 'Lock' and query like '-- key_authority%' and datname = current_database()`,
              [],
            )
            return found.length === 1
          })
        })
        assert.equal((await answer)?.status, 200)
      })
      assert.deepEqual(cut, {
        ...requestsRise('/v1/frames/at', 200),
        frames_database_retries_total: 1,
        frames_database_reconnects_total: 1,
      })
      // A key that passed before would read the frame meanwhile: the database would answer, and stay connected.
      const { secret } = await mint(admin)
      const late = await risen(hasty.opsUrl, () =>
        locked(async () => {
          assert.equal((await get({ ...hasty, secret })).status, 500)
        }),
      )
      assert.deepEqual(late, {
        ...requestsRise('/v1/frames/at', 500),
        frames_database_deadline_exceeded_total: 1,
        frames_database_reconnects_total: 1,
      })
    } finally {
      await admin.close()
      await hasty.stop()
    }
  })

  it('count calls that passed unmetered, and show Redis away and back, as the probe of readiness does, which stays ready', async () => {
    const redis = await startRedis()
    const metered = await startService(database, { redisUrl: redis.url, ops: true })
    const up = async () => {
      const { status, body } = await ask(`${metered.opsUrl}/readyz`)
      const { redis: said } = (body as { data: { redis: string } }).data
      const inMetrics = sampleOf(await scrape(metered.opsUrl), 'frames_dependency_up{dependency="redis"}')
      assert.deepEqual([status, said === 'up' || said === 'away'], [200, true])
      return said === 'up' ? inMetrics : inMetrics === 0 ? 0 : undefined
    }
    const five = async () => {
      for (let i = 0; i < 5; i += 1) assert.equal((await get(metered)).status, 200)
    }
    try {
      await until(async () => (await up()) === 1)
      assert.deepEqual(await risen(metered.opsUrl, five), requestsRise('/v1/frames/at', 200, 5))
      await redis.kill()
      await until(async () => (await up()) === 0)
      assert.deepEqual(await risen(metered.opsUrl, five), {
        ...requestsRise('/v1/frames/at', 200, 5),
        frames_unmetered_calls_total: 5,
      })
      await redis.start()
      await until(async () => (await up()) === 1)
      assert.deepEqual(await risen(metered.opsUrl, five), requestsRise('/v1/frames/at', 200, 5))
    } finally {
      await metered.stop()
      await redis.stop()
    }
  })

  // This test is the last: the import replaces the index that the others ask.
  it('show which index is being served, also after another was imported', async () => {
    const folder = temporaryFolder()
    const service = await startService(database, { ops: true })
    const generation = async () => sampleOf(await scrape(service.opsUrl), 'frames_index_generation')
    try {
      for (const before of [1, 2]) {
        assert.equal(await generation(), before)
        const grid = collection([feature('1', rectangle(300, 600, 301, 601))])
        await importFrames(database.db, folder.write('grid.json', grid), quiet)
        assert.equal(await generation(), before + 1)
      }
    } finally {
      folder.remove()
      await service.stop()
    }
  })
})

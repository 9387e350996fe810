import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServe } from '../support/cli.js'
import { redisServer } from '../support/redis-server.js'
import { urlOf } from '../support/database.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'

const path = '/v1/frames/at?lat=0.105&lon=0.205'
/** The clock of a program that is an hour behind and jumps. */
const JUMPING = 'const now = Date.now; Date.now = () => now() - 3600000 + (now() % 7) * 600000'

describe('two processes with clocks an hour apart', () => {
  it('share the buckets of Redis, and agree on the wait', async () => {
    const { url } = await redisServer()
    const size = { burst: 60, perMinute: 1 }
    const roomy = { burst: 9000, perMinute: 9000 }
    const jumping = await startServe({
      DATABASE_URL: urlOf(service().database.target),
      REDIS_URL: url,
      BUCKET_KEY: '60/1',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(JUMPING)}`,
    })
    const buckets = { key: size, organisation: roomy, insight: roomy }
    const right = await startService(service().database, { redisUrl: url, buckets })
    const servers = [jumping, right]
    try {
      const { secret } = await mint(service().db)
      const call = (i: number) => ask(servers[i % 2]?.url + path, { headers: bearer(secret) })
      while ((await call(0)).headers.get('ratelimit') === null || (await call(1)).headers.get('ratelimit') === null) {
        await sleep(50)
      }
      const fresh = await mint(service().db)
      const answers = await Promise.all(
        Array.from({ length: 120 }, (_, i) => ask(servers[i % 2]?.url + path, { headers: bearer(fresh.secret) })),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 60)
      // A process that took its own clock would say a wait of an hour, or let more calls pass.
      const waits = answers
        .filter(({ status }) => status === 429)
        .map(({ headers }) => Number(headers.get('retry-after')))
      assert.ok(Math.min(...waits) >= 30 && Math.max(...waits) <= 60, waits.join())
    } finally {
      jumping.child.kill('SIGKILL')
      await Promise.all([jumping.ended, right.stop()])
    }
  })
})

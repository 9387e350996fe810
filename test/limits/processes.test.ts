import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServe } from '../support/cli.js'
import { redisServer } from '../support/redis-server.js'
import { ask, bearer, mint, service } from '../support/service.js'

const path = '/v1/frames/at?lat=0.105&lon=0.205'
/** Starts one program whose clock is an hour ahead, and one whose clock is an hour behind and jumps. */
const clocks = {
  right: '',
  ahead: 'const now = Date.now; Date.now = () => now() + 3600000',
  jumping: 'const now = Date.now; Date.now = () => now() - 3600000 + (now() % 7) * 600000',
}

describe('two processes with clocks an hour apart', () => {
  const start = (clock: keyof typeof clocks, redis: string | undefined) =>
    startServe({
      DATABASE_URL: service().database.target as string,
      BUCKET_KEY: '60/1',
      ...(redis === undefined ? {} : { REDIS_URL: redis }),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clocks[clock])}`,
    })
  const stop = async (started: Awaited<ReturnType<typeof start>>) => {
    started.child.kill('SIGKILL')
    await started.ended
  }

  it('share the buckets of Redis, and agree on the wait', async () => {
    const { url } = await redisServer()
    const servers = await Promise.all([start('ahead', url), start('jumping', url)])
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
      await Promise.all(servers.map(stop))
    }
  })

  it('meter by themselves without Redis, whatever the clock says', async () => {
    const server = await start('jumping', undefined)
    try {
      const { secret } = await mint(service().db)
      const call = () => ask(server.url + path, { headers: bearer(secret) })
      const answers = await Promise.all(Array.from({ length: 100 }, call))
      assert.equal(answers.filter(({ status }) => status === 200).length, 60)
    } finally {
      await stop(server)
    }
  })
})

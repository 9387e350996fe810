import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { KEY_PREFIX } from '../../src/core/limits/in-redis.js'
import { redisServer } from '../support/redis-server.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'
import { onService, parallel, path, rulesOfMetering, slow, usual } from './metering.js'

describe('metering in Redis', () => {
  const settings = async () => ({ redisUrl: (await redisServer()).url })
  const on = onService(settings)

  rulesOfMetering(on)

  it('refills, and says in Retry-After when a call passes: sooner it does not', () =>
    on({ ...usual, key: { burst: 2, perMinute: 60 } }, async ({ db }, call) => {
      const { secret } = await mint(db)
      assert.deepEqual([(await call(secret)).status, (await call(secret)).status], [200, 200])
      const refused = await call(secret)
      const until = performance.now() + 1000
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
      assert.equal((await call(secret)).status, 429)
      await sleep(until - performance.now())
      assert.equal((await call(secret)).status, 200)
    }))

  it('keeps each bucket until it is full, and not longer', () =>
    on({ ...usual, key: slow(60) }, async ({ db }, call) => {
      const { secret, keyId } = await mint(db)
      for (let times = 0; times < 3; times += 1) await call(secret)
      const client = createClient({ url: (await redisServer()).url })
      await client.connect()
      try {
        const keys = (await client.keys(`${KEY_PREFIX}*`)).filter((key) => key.includes(keyId))
        assert.equal(keys.length, 1)
        const [key = ''] = keys
        const fullAt = Number(await client.get(key)) / 1000
        const expiresAt = await client.pExpireTime(key)
        assert.ok(expiresAt >= fullAt - 1 && expiresAt <= fullAt + 2, `full at ${fullAt}, deleted at ${expiresAt}`)
      } finally {
        client.destroy()
      }
    }))

  it('shares the buckets between two servers', async () => {
    const buckets = { ...usual, key: slow(60) }
    const [first, second] = await parallel(2, async () =>
      startService(service().database, { buckets, ...(await settings()) }),
    )
    assert.ok(first && second)
    try {
      const { secret } = await mint(service().db)
      const answers = await parallel(200, (i) =>
        ask((i % 2 === 0 ? first : second).url + path, { headers: bearer(secret) }),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 60)
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  })
})

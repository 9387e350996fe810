/** The rules of metering, which are the same whether the buckets are in Redis or in the process. */
import assert from 'node:assert/strict'
import type { BucketSizes } from '../../src/core/limits/buckets.js'
import { sample } from '../support/sample.js'
import { ask, bearer, errorOf, mint, newOrganisation, service, startService, type Answer } from '../support/service.js'

/** The default sizes. */
export const usual: BucketSizes = {
  key: { burst: 60, perMinute: 300 },
  organisation: { burst: 120, perMinute: 600 },
  insight: { burst: 6, perMinute: 30 },
}
const roomy = { burst: 900_000, perMinute: 900_000 }
/** A bucket that gains no call during a test. */
export const slow = (burst: number) => ({ burst, perMinute: 1 })

export const path = '/v1/frames/at?lat=0.105&lon=0.205'

export const parallel = <T>(times: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, i) => run(i)))

function position(answer: Answer): { bucket: string; r: number; t: number; q: number; w: number } {
  const [, bucket = '', r, t] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? []
  const [, policy, q, w] = /^"(\w+)";q=(\d+);w=(\d+)$/.exec(answer.headers.get('ratelimit-policy') ?? '') ?? []
  assert.ok(bucket, `RateLimit: ${answer.headers.get('ratelimit')}`)
  assert.equal(policy, bucket)
  return { bucket, r: Number(r), t: Number(t), q: Number(q), w: Number(w) }
}

type Running = Awaited<ReturnType<typeof startService>>
type Settings = { redisUrl?: string; bucketClock?: () => number }
export type On = (
  buckets: BucketSizes,
  run: (running: Running, call: (secret: string, to?: string) => Promise<Answer>) => Promise<void>,
) => Promise<void>

/** Runs a service with these buckets while a test calls it. */
export const onService =
  (settings: () => Promise<Settings>): On =>
  async (buckets, run) => {
    const running = await startService(service().database, { buckets, ...(await settings()) })
    try {
      await run(running, (secret, to = path) => ask(running.url + to, { headers: bearer(secret) }))
    } finally {
      await running.stop()
    }
  }

export function rulesOfMetering(on: On): void {
  it('lets exactly 60 of 200 parallel calls on a burst of 60 pass', () =>
    on({ ...usual, key: slow(60), organisation: roomy }, async ({ db, limiter }, call) => {
      for (let turn = 0; turn < sample(1, 3); turn += 1) {
        const { secret } = await mint(db)
        const answers = await parallel(200, () => call(secret))
        const passed = answers.filter(({ status }) => status === 200)
        assert.equal(passed.length, 60)
        assert.equal(answers.filter(({ status }) => status === 429).length, 140)
        const left = passed.map((answer) => position(answer).r).sort((a, b) => a - b)
        assert.deepEqual(
          left,
          Array.from({ length: 60 }, (_, i) => i),
        )
      }
      assert.equal(limiter.waiting(), 0, 'the limiter keeps no call that was answered')
    }))

  it('refuses in the envelope, naming the bucket, with the headers and no-store', () =>
    on({ ...usual, key: slow(1) }, async ({ db }, call) => {
      const { secret } = await mint(db)
      assert.deepEqual(position(await call(secret)), { bucket: 'key', r: 0, t: 60, q: 1, w: 60 })
      const refused = await call(secret)
      assert.equal(refused.status, 429)
      const seconds = Number(refused.headers.get('retry-after'))
      assert.ok(seconds > 55 && seconds <= 60, String(seconds))
      assert.deepEqual(errorOf(refused), {
        code: 'rate_limited',
        message: `The key bucket is spent: it lets 1 calls at once and 1 a minute pass. The next passes in ${seconds} s.`,
      })
      assert.equal(refused.headers.get('cache-control'), 'no-store')
      assert.deepEqual(position(refused), { bucket: 'key', r: 0, t: seconds, q: 1, w: 60 })
    }))

  it('counts every answer but 401, 404 for a path and 405: errors, HEAD and 304 too', () =>
    on({ ...usual, key: slow(20), organisation: roomy }, async ({ db, url }, call) => {
      const { secret } = await mint(db)
      const headers = bearer(secret)
      const left = async () => position(await call(secret)).r
      assert.equal(await left(), 19)
      await call(secret, '/v1/frames/at?lat=0.105')
      assert.equal(await left(), 17)
      await ask(url + path, { method: 'HEAD', headers })
      assert.equal(await left(), 15)
      await call(secret, '/v1/frames/at?lat=80&lon=0')
      assert.equal(await left(), 13)
      const etag = (await call(secret, '/v1/states')).headers.get('etag') ?? ''
      const unchanged = await ask(`${url}/v1/states`, { headers: { ...headers, 'if-none-match': etag } })
      assert.equal(unchanged.status, 304)
      assert.equal(position(unchanged).r, 11)
      await call(secret, '/v1/nothing')
      await ask(url + path, { method: 'POST', headers })
      await call('svc_sk_wrong')
      assert.equal(await left(), 10)
    }))

  it('shares an organisation’s bucket among its keys: minting more does not multiply it', () =>
    on({ ...usual, organisation: slow(40), key: slow(20) }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const keys = await parallel(5, () => mint(db, { org }))
      const answers = await parallel(90, (i) => call(keys[i % 5]?.secret ?? ''))
      assert.equal(answers.filter(({ status }) => status === 200).length, 40)
      const other = await mint(db)
      assert.equal((await call(other.secret)).status, 200, 'another organisation is not hurt')
    }))

  it('spends all or nothing: what one bucket refuses costs the other nothing', () =>
    on({ ...usual, key: slow(5), organisation: slow(12) }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const [one, other, third] = await parallel(3, () => mint(db, { org }))
      assert.ok(one && other && third)
      const passes = async (secret: string, times: number) =>
        (await parallel(times, () => call(secret))).filter(({ status }) => status === 200).length
      // The key refuses 35 of 40: the organisation has spent 5.
      assert.equal(await passes(one.secret, 40), 5)
      assert.equal(position(await call(one.secret)).bucket, 'key')
      assert.equal(await passes(other.secret, 40), 5)
      // 2 are left to the organisation, which refuses 38: the third key has spent 2.
      assert.equal(await passes(third.secret, 40), 2)
      const refused = await call(third.secret)
      assert.equal(position(refused).bucket, 'organisation')
      assert.match(errorOf(refused).message, /^The organisation bucket is spent: it lets 12 calls at once/)
    }))

  it('spends nothing for a refused call, from any bucket', () =>
    on({ ...usual, key: slow(5), organisation: slow(7) }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const [one, other] = await parallel(2, () => mint(db, { org }))
      assert.ok(one && other)
      for (let i = 0; i < 5; i += 1) await call(one.secret)
      const waits = []
      for (let i = 0; i < 20; i += 1) waits.push(Number((await call(one.secret)).headers.get('retry-after')))
      assert.ok(Math.max(...waits) <= 60, 'waiting does not grow by asking')
      assert.deepEqual([(await call(other.secret)).status, (await call(other.secret)).status], [200, 200])
      const refused = await call(other.secret)
      assert.deepEqual([refused.status, position(refused).bucket], [429, 'organisation'])
    }))

  it('reports the bucket that is closer to exhaustion', () =>
    on({ ...usual, key: slow(8), organisation: slow(10) }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const [one, other] = await parallel(2, () => mint(db, { org }))
      assert.ok(one && other)
      const places = []
      for (let i = 0; i < 5; i += 1) places.push(position(await call(one.secret)))
      for (let i = 0; i < 5; i += 1) places.push(position(await call(other.secret)))
      assert.deepEqual(
        places.map(({ bucket, r, q }) => `${bucket} ${r} of ${q}`),
        [7, 6, 5, 4, 3].map((r) => `key ${r} of 8`).concat([4, 3, 2, 1, 0].map((r) => `organisation ${r} of 10`)),
      )
    }))
}

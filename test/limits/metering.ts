/** The rules of metering, which are the same whether the buckets are in Redis or in the process. */
import assert from 'node:assert/strict'
import type { BucketSizes } from '../../src/core/limits/buckets.js'
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

/** Keys of one organisation that call at once, their calls, how many of them pass, and the bucket that refuses the rest. */
type Step = [keys: number[], calls: number, passing: number, refusing?: 'key' | 'organisation']
type Rule = { key: number; organisation?: number; steps: Step[] }
const RULES: Record<string, Rule> = {
  'lets exactly 60 of 200 parallel calls on a burst of 60 pass': { key: 60, steps: [[[0], 200, 60, 'key']] },
  'shares an organisation’s bucket among its keys: minting more does not multiply it': { key: 20, organisation: 40, steps: [[[0, 1, 2, 3, 4], 90, 40, 'organisation']] },
  'spends all or nothing: what one bucket refuses costs the other nothing': { key: 5, organisation: 12, steps: [[[0], 40, 5, 'key'], [[1], 40, 5, 'key'], [[2], 40, 2, 'organisation']] },
  'spends nothing for a refused call, from any bucket': { key: 5, organisation: 7, steps: [[[0], 5, 5], [[0], 20, 0, 'key'], [[1], 2, 2], [[1], 1, 0, 'organisation']] },
} // prettier-ignore

export function rulesOfMetering(on: On): void {
  for (const [rule, { key, organisation, steps }] of Object.entries(RULES))
    it(rule, () =>
      on(
        { ...usual, key: slow(key), organisation: organisation === undefined ? roomy : slow(organisation) },
        async ({ db }, call) => {
          const org = await newOrganisation(db)
          const keys = await parallel(5, () => mint(db, { org }))
          for (const [callers, calls, passing, refusing] of steps) {
            const answers = await parallel(calls, (i) => call(keys[callers[i % callers.length] ?? 0]?.secret ?? ''))
            const passed = answers.filter(({ status }) => status === 200)
            const refused = answers.filter(({ status }) => status === 429)
            assert.deepEqual([passed.length, refused.length], [passing, calls - passing])
            const left = passed.map((answer) => position(answer).r).sort((a, b) => a - b)
            if (refusing && callers.length === 1) assert.deepEqual(left, [...left.keys()], 'each place is given once')
            for (const answer of refused) {
              assert.equal(position(answer).bucket, refusing)
              assert.match(errorOf(answer).message, new RegExp(`^The ${refusing} bucket is spent: it lets `))
              assert.ok(Number(answer.headers.get('retry-after')) <= 60, 'waiting does not grow by asking')
            }
          }
          assert.equal((await call((await mint(db)).secret)).status, 200, 'another organisation is not hurt')
        },
      ),
    )

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

  it('tells a key at /tools/key what is left of each bucket, and takes that call alone', () =>
    on({ ...usual, key: slow(8), organisation: slow(10), insight: slow(3) }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const [one, other] = await parallel(2, () => mint(db, { org }))
      assert.ok(one && other)
      await parallel(3, () => call(one.secret))
      await call(other.secret)
      const lefts = []
      for (let times = 0; times < 2; times += 1) {
        const { data } = (await call(one.secret, '/tools/key')).body as { data: { buckets: object[] } }
        lefts.push(data.buckets.map((each) => Object.values(each).join(' ')))
      }
      assert.deepEqual(lefts, [
        ['key 8 1 4', 'organisation 10 1 5', 'insight 3 1 3'],
        ['key 8 1 3', 'organisation 10 1 4', 'insight 3 1 3'],
      ])
    }))
}

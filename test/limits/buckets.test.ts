import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createClient } from 'redis'
import {
  bucketsOf,
  fillSeconds,
  spendAt,
  waitSeconds,
  type Bucket,
  type Verdict,
} from '../../src/core/limits/buckets.js'
import { bucketsInProcess } from '../../src/core/limits/in-process.js'
import { SCRIPT, sizesText } from '../../src/core/limits/in-redis.js'
import { onPostgres } from '../support/database.js'
import { redisServer } from '../support/redis-server.js'

const SECOND = 1_000_000
const sizes = {
  key: { burst: 60, perMinute: 300 },
  organisation: { burst: 120, perMinute: 600 },
  insight: { burst: 6, perMinute: 30 },
}
const caller = { orgId: 'org_a', keyId: 'key_a' }

/**
 * A plain model of buckets: a bucket holds tokens, gains more with time, and never holds more than the burst. A call
 * takes one token from each bucket, or none. The model counts 60 million parts to a token, in whole numbers, so it
 * rounds nothing.
 */
function plainModel() {
  const WHOLE = 60_000_000n
  const tokens = new Map<string, { parts: bigint; at: number }>()
  const level = ({ key, burst, perMinute }: Bucket, now: number) => {
    const full = BigInt(burst) * WHOLE
    const kept = tokens.get(key)
    const grown = kept ? kept.parts + BigInt(now - kept.at) * BigInt(perMinute) : full
    return grown > full ? full : grown
  }
  return {
    level,
    spend: (now: number, buckets: Bucket[]) => {
      const levels = buckets.map((bucket) => level(bucket, now))
      if (levels.some((parts) => parts < WHOLE)) return false
      buckets.forEach(({ key }, i) => tokens.set(key, { parts: (levels[i] ?? 0n) - WHOLE, at: now }))
      return true
    },
    calls: (bucket: Bucket, now: number) => Number(level(bucket, now) / WHOLE),
  }
}

function keep(kept: Map<string, number>, buckets: Bucket[], fullAt: (number | undefined)[]): void {
  buckets.forEach(({ key }, i) => {
    const instant = fullAt[i]
    if (instant !== undefined) kept.set(key, instant)
  })
}

type Step = { after: number; keyId: string; insight: boolean }
const step = (after: fc.Arbitrary<number>): fc.Arbitrary<Step> =>
  fc.record({
    after,
    keyId: fc.constantFrom('key_a', 'key_a', 'key_b'),
    insight: fc.boolean(),
  })
/** Groups steps that have no time between them. */
function byInstant(taken: readonly Step[]): Step[][] {
  const groups: Step[][] = []
  for (const each of taken) {
    const last = groups.at(-1)
    if (last && each.after === 0) last.push(each)
    else groups.push([each])
  }
  return groups
}

/** At these rates one call refills in a whole number of microseconds. */
const size = fc.record({ burst: fc.integer({ min: 1, max: 8 }), perMinute: fc.constantFrom(1, 6, 30, 60, 300, 600) })
const someSizes = fc.record({ key: size, organisation: size, insight: size })
const forward = fc.oneof(fc.constantFrom(0, 0, 0, 1), fc.integer({ min: 0, max: 2 * SECOND }), fc.constant(60 * SECOND))
const steps = fc.array(step(forward), { minLength: 1, maxLength: 60 })
const steppedClock = fc.array(step(fc.oneof({ weight: 9, arbitrary: forward }, fc.constant(-3600 * SECOND))), {
  minLength: 1,
  maxLength: 60,
})

describe('buckets', () => {
  it('let pass exactly the calls that a plain model lets pass, and report the calls left in the tightest', async () => {
    await fc.assert(
      fc.asyncProperty(someSizes, steps, async (given, taken) => {
        let now = 1_700_000_000 * SECOND
        const store = bucketsInProcess(() => now)
        const model = plainModel()
        for (const { after, keyId, insight } of taken) {
          now += after
          const buckets = bucketsOf(given, { orgId: 'org_a', keyId }, insight)
          const passes = model.spend(now, buckets)
          const verdict = await store.spend(buckets)
          assert.equal(verdict.passes, passes)
          const left = buckets.map((bucket) => model.calls(bucket, now))
          assert.equal(verdict.remaining, passes ? Math.min(...left) : 0)
          const named = buckets.find(({ name }) => name === verdict.name)
          assert.ok(named)
          if (passes) assert.equal(model.calls(named, now), verdict.remaining)
          else assert.equal(model.calls(named, now), 0)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('say how long to wait: a call sent then passes, a microsecond sooner it does not', async () => {
    let refused = 0
    const property = fc.property(someSizes, steps, (given, taken) => {
      let now = 1_700_000_000 * SECOND
      const kept = new Map<string, number>()
      const spend = (buckets: Bucket[], at: number, spending: boolean): Verdict => {
        const spent = spendAt(
          at,
          buckets,
          buckets.map(({ key }) => kept.get(key)),
        )
        if (spending) keep(kept, buckets, spent.fullAt)
        return spent.verdict
      }
      for (const { after, keyId, insight } of taken) {
        now += after
        const buckets = bucketsOf(given, { orgId: 'org_a', keyId }, insight)
        const verdict = spend(buckets, now, true)
        if (verdict.passes) continue
        refused += 1
        const seconds = waitSeconds(verdict)
        assert.ok(seconds >= 1)
        assert.equal(spend(buckets, now + verdict.waitMicros - 1, false).passes, false)
        assert.equal(spend(buckets, now + verdict.waitMicros, false).passes, true)
        assert.equal(spend(buckets, now + seconds * SECOND, false).passes, true)
        assert.equal(spend(buckets, now + (seconds - 1) * SECOND, false).passes, false)
      }
    })
    fc.assert(property, { numRuns: 300 })
    assert.ok(refused > 200, `${refused} refusals were looked at`)
  })

  it('treat a caller that was refused for an hour like one that waited', async () => {
    let now = 0
    const store = bucketsInProcess(() => now)
    const buckets = bucketsOf(sizes, caller, true)
    for (let call = 0; call < 6; call += 1) assert.equal((await store.spend(buckets)).passes, true)
    for (let call = 0; call < 1000; call += 1) {
      const { passes, name } = await store.spend(buckets)
      assert.deepEqual({ passes, name }, { passes: false, name: 'insight' })
    }
    const reading = await store.spend(bucketsOf(sizes, caller, false))
    assert.deepEqual([reading.passes, reading.name, reading.remaining], [true, 'key', 60 - 7])
    now += 2 * SECOND
    assert.equal((await store.spend(buckets)).passes, true)
    assert.equal((await store.spend(buckets)).passes, false)
  })

  it('lock nobody out when the clock is set back by an hour', async () => {
    let now = 7200 * SECOND
    const store = bucketsInProcess(() => now)
    const buckets = bucketsOf(sizes, caller, false)
    for (let call = 0; call < 60; call += 1) await store.spend(buckets)
    now -= 3600 * SECOND
    const refused = await store.spend(buckets)
    assert.equal(refused.passes, false)
    assert.equal(refused.waitMicros, SECOND / 5)
    now += SECOND / 5
    assert.equal((await store.spend(buckets)).passes, true)
  })

  it('fill in the time that the policy header says', () => {
    assert.deepEqual([sizes.key, sizes.organisation, sizes.insight].map(fillSeconds), [12, 12, 12])
  })

  it('are deleted once they are full', async () => {
    let now = 0
    const store = bucketsInProcess(() => now)
    for (let key = 0; key < 9_999; key += 1) {
      await store.spend(bucketsOf(sizes, { orgId: 'org_a', keyId: `key_${key}` }, false))
      now += SECOND / 10
    }
    assert.ok(store.size() > 9_000)
    now += 60 * SECOND
    await store.spend(bucketsOf(sizes, caller, false))
    assert.ok(store.size() < 5, `${store.size()} are kept`)
  })

  if (onPostgres) {
    it('decide in Redis as in the process, also for several calls of one instant', async () => {
      const { url } = await redisServer()
      const client = createClient({ url })
      await client.connect()
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(someSizes, steppedClock, async (given, taken) => {
            run += 1
            let now = 1_700_000_000 * SECOND
            const kept = new Map<string, number>()
            for (const calls of byInstant(taken)) {
              now += calls[0]?.after ?? 0
              const bucketLists = calls.map(({ keyId, insight }) =>
                bucketsOf(given, { orgId: `org_${run}`, keyId }, insight),
              )
              const decided = bucketLists.map((buckets) => {
                const spent = spendAt(
                  now,
                  buckets,
                  buckets.map(({ key }) => kept.get(key)),
                )
                keep(kept, buckets, spent.fullAt)
                const { passes, name, remaining, waitMicros } = spent.verdict
                return [passes ? 1 : 0, buckets.findIndex((bucket) => bucket.name === name) + 1, remaining, waitMicros]
              })
              const keys = bucketLists.flat().map(({ key }) => `${process.pid}:${key}`)
              // The test replaces the clock of the script, and that of expiry, which is the real one: nothing else.
              const lasting = SCRIPT.replace('math.max(1,', 'math.max(3600000,')
              const wound = lasting.replace(
                "redis.call('TIME')",
                `{ '${Math.floor(now / SECOND)}', '${now % SECOND}' }`,
              )
              assert.ok(lasting !== SCRIPT && wound !== lasting)
              const reply = await client.sendCommand([
                'EVAL',
                wound,
                String(keys.length),
                ...keys,
                ...bucketLists.map(sizesText),
              ])
              assert.deepEqual(reply, decided.flat())
            }
          }),
          { numRuns: 60 },
        )
      } finally {
        client.destroy()
      }
    })
  }
})

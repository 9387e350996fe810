import assert from 'node:assert/strict'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { mint, newOrganisation } from '../support/service.js'
import { onService, parallel, rulesOfMetering, slow, usual } from './metering.js'

describe('metering in the process', () => {
  /** Microseconds. */
  let now = 0
  const on = onService(async () => ({ bucketClock: () => now }))

  rulesOfMetering(on)

  it('refills continuously: 5 more a second for a key, 10 for an organisation', () =>
    on(usual, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const keys = await parallel(3, () => mint(db, { org }))
      const { secret } = await mint(db)
      const passes = async (times: number, secretOf: (i: number) => string) =>
        (await parallel(times, (i) => call(secretOf(i)))).filter(({ status }) => status === 200).length
      assert.equal(await passes(65, () => secret), 60)
      assert.equal(await passes(130, (i) => keys[i % 3]?.secret ?? ''), 120)
      for (let tenth = 1; tenth <= 6; tenth += 1) {
        now += 100_000
        assert.equal(await passes(3, () => secret), tenth % 2 === 0 ? 1 : 0)
        assert.equal(await passes(6, (i) => keys[i % 3]?.secret ?? ''), 1)
      }
    }))

  it('says in Retry-After when a call passes: a second sooner it does not, in random states', async () => {
    const random = seeded(1)
    const sizes = { ...usual, key: { burst: 4, perMinute: 20 }, organisation: { burst: 7, perMinute: 35 } }
    await on(sizes, async ({ db }, call) => {
      let sooner = 0
      for (let state = 0; state < sample(20, 200); state += 1) {
        const org = await newOrganisation(db)
        const keys = await parallel(1 + (state % 3), () => mint(db, { org }))
        const spent = Math.floor(random() * 12)
        for (let n = 0; n < spent; n += 1) await call(keys[n % keys.length]?.secret ?? '')
        now += Math.floor(random() * 3_000_000)
        const key = keys[0]?.secret ?? ''
        let answer = await call(key)
        while (answer.status === 200) answer = await call(key)
        const wait = Number(answer.headers.get('retry-after'))
        assert.ok(wait >= 1 && wait <= 5, String(wait))
        now += (wait - 1) * 1_000_000
        assert.equal((await call(key)).status, 429)
        if (wait > 1) sooner += 1
        now += 1_000_000
        assert.equal((await call(key)).status, 200)
      }
      assert.ok(sooner > 5, `${sooner} were tried a second sooner`)
    })
  })

  it('goes by a clock that nobody sets: while the time of day jumps by hours, no call more passes', () =>
    onService(async () => ({}))({ ...usual, key: slow(60) }, async ({ db }, call) => {
      const { secret } = await mint(db)
      const { now: right } = Date
      Date.now = () => right() + (right() % 7) * 3_600_000
      try {
        const answers = await parallel(100, () => call(secret))
        assert.equal(answers.filter(({ status }) => status === 200).length, 60)
      } finally {
        Date.now = right
      }
    }))
})

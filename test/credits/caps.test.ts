/** The caps of a key: credits and worded answers by UTC day and month. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { capKey, type Caps, rollKey } from '../../src/core/access/keys.js'
import { openHold, postHold, releaseHold, voidHold } from '../../src/core/credits/allowance.js'
import { charge, voidCharge } from '../../src/core/credits/ledger.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import type { TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, sharedWorld } from '../support/datasets.js'
import { ask, bearer, mint, startService, type Minted, type Service } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

const parallel = <T>(times: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, i) => run(i)))
const priced = (price: number) => [{ layerId: 'lyr_a', price }]

describe('a cap of a key', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let db: Database
  let running: Service & { stop: () => Promise<void> }
  before(async () => {
    ;({ database } = await sharedWorld())
    db = connect(database.target)
    running = await startService(database)
  })
  after(async () => {
    await running.stop()
    await db.close()
  })
  afterEach(async () => assert.deepEqual([...(await ledgerFaults(database.db))], []))

  const capped = async (caps: Partial<Caps>, credits = 1000): Promise<Minted> => {
    const key = await mint(database.db)
    await credit(database.db, key.orgId, credits)
    await capKey(database.db.run, { keyId: key.keyId }, caps)
    return key
  }
  const spent = async ({ orgId }: Minted) => 1000 - (await balanceOf(database.db, orgId))
  /** Runs what is counted in so many days. */
  const inDays = async (days: number, run: () => Promise<void>) => {
    const clock = (instant: string) =>
      database.db.work(
        `create or replace function ledger_clock() returns timestamptz language sql volatile return ${instant}`,
      )
    await clock(`clock_timestamp() + interval '${days} days'`)
    await run().finally(() => clock('clock_timestamp()'))
  }

  it('is never passed, by one credit, though 32 clients spend at once', async () => {
    for (const caps of [{ daily_credits: 50 }, { monthly_credits: 50 }, { daily_credits: 50, monthly_credits: 80 }]) {
      const key = await capped(caps)
      const charged = await parallel(96, () => charge(db, key, randomUUID(), priced(3)))
      assert.equal(charged.filter((each) => each?.length === 1).length, 16)
      assert.equal(await spent(key), 48)
      assert.deepEqual(await charge(db, key, randomUUID(), priced(2)), ['lyr_a'])
      assert.deepEqual(await charge(db, key, randomUUID(), priced(1)), [])
    }
  })

  it('is never passed over HTTP, by one credit or one worded answer, though 32 clients of two services ask at once', async () => {
    const wording = await startWordingServer()
    const worded = await startService(database, { wordingUrl: wording.url })
    const services = [running, worded]
    const asked = async (place: Service, { secret }: Minted, path: string, body?: object) => {
      const sent = body && { method: 'POST', body: JSON.stringify(body) }
      const headers = { ...bearer(secret), ...(body && { 'content-type': 'application/json' }) }
      return ((await ask(place.url + path, { headers, ...sent })).body as { data: Answer }).data
    }
    type Answer = { charged: string[]; leftOut: { reason: string }[]; narrative?: string; notice?: string }
    try {
      for (const caps of [{ daily_credits: 7 }, { monthly_credits: 7 }]) {
        const key = await anotherReader(database.db, 1000)
        await capKey(database.db.run, { keyId: key.keyId }, caps)
        const path = `/v1/frames/data?ids=${ids.slice(0, 5).join()}&datasets=lyr_query_a`
        const answers = await parallel(32, (i) => asked(services[i % 2] ?? running, key, path))
        assert.equal(answers.filter(({ charged }) => charged.length === 1).length, 3, 'two credits each, of seven')
        assert.equal(answers.filter(({ leftOut }) => leftOut[0]?.reason === 'key_cap').length, 29)
        assert.equal(await spent(key), 6)
      }
      for (const caps of [{ daily_words: 5 }, { monthly_words: 5 }]) {
        const key = await anotherReader(database.db, 1000)
        await capKey(database.db.run, { keyId: key.keyId }, caps)
        const profile = { frameIds: ids.slice(0, 2) }
        const answers = await parallel(32, () => asked(worded, key, '/v1/frames/insight', profile))
        assert.equal(answers.filter(({ narrative }) => narrative !== undefined).length, 5)
        assert.equal(answers.filter(({ notice }) => notice?.includes('a cap of this key')).length, 27)
      }
    } finally {
      await worded.stop()
      await wording.close()
    }
  })

  it('is of its key alone, gets a refund back, and begins anew with its day and its month', async () => {
    const key = await capped({ daily_credits: 5, monthly_credits: 8 })
    const other = await mint(database.db, { org: key.orgId })
    const request = randomUUID()
    assert.deepEqual(await charge(db, key, request, priced(5)), ['lyr_a'])
    assert.deepEqual(await charge(db, key, randomUUID(), priced(1)), [])
    assert.deepEqual(await charge(db, other, randomUUID(), priced(1)), ['lyr_a'], 'another key')
    await voidCharge(db, key, request)
    assert.deepEqual(await charge(db, key, randomUUID(), priced(5)), ['lyr_a'])
    const isLastDay = new Date(Date.now() + 86_400_000).getUTCDate() === 1
    if (!isLastDay)
      await inDays(1, async () => {
        assert.deepEqual(await charge(db, key, randomUUID(), priced(4)), [], 'of the month, three are left')
      })
    await inDays(31, async () => assert.deepEqual(await charge(db, key, randomUUID(), priced(5)), ['lyr_a']))
  })

  it('counts worded answers, those that are being made too, and not one more', async () => {
    for (const plan of ['scale', 'none']) {
      const key = await capped({ daily_words: 10 })
      const holds = await parallel(32, async () => {
        const id = randomUUID()
        return [await openHold(db, { ...key, plan }, id), id] as const
      })
      const held = holds.filter(([hold]) => hold === 'held').map(([, id]) => id)
      assert.equal(held.length, 10)
      assert.ok(holds.every(([hold]) => hold === 'held' || hold === 'key_cap'))
      const [first = '', second = '', ...rest] = held
      await releaseHold(db, key.orgId, first)
      for (const id of [second, ...rest]) assert.ok(await postHold(db, key, id))
      const again = async () => await openHold(db, { ...key, plan }, randomUUID())
      assert.deepEqual([await again(), await again()], ['held', 'key_cap'])
      await voidHold(db, key, second)
      assert.deepEqual([await again(), await again()], ['held', 'key_cap'])
    }
  })

  it('of credits also stops words that cost one, and says so apart from the credits of the organisation', async () => {
    const key = await capped({ daily_credits: 3 })
    await charge(db, key, randomUUID(), priced(2))
    const open = async () => await openHold(db, { ...key, plan: 'none' }, randomUUID())
    assert.deepEqual([await open(), await open()], ['held', 'key_cap'])
    assert.deepEqual(
      await charge(db, key, randomUUID(), priced(1)),
      [],
      'the words that are being made have their credit',
    )
    const poor = await capped({ daily_credits: 3 }, 1)
    const openPoor = async () => await openHold(db, { ...poor, plan: 'none' }, randomUUID())
    assert.deepEqual([await openPoor(), await openPoor()], ['held', 'no_allowance'])
  })

  it('leaves datasets out for its own reason, in the price too; /tools/key tells what is left', async () => {
    const key = await anotherReader(database.db, 100)
    await capKey(database.db.run, { keyId: key.keyId }, { daily_credits: 4, monthly_words: 7 })
    const get = async (path: string) =>
      ((await ask(running.url + path, { headers: bearer(key.secret) })).body as { data: Record<string, unknown> }).data
    const bill = async (more = '') => {
      const { charged, leftOut } = await get(`/v1/frames/data?ids=${ids.slice(0, 5).join()}${more}`)
      return [
        charged,
        (leftOut as { layerId: string; reason: string }[]).map((each) => `${each.layerId} ${each.reason}`),
      ]
    }
    const expected = [['lyr_query_a'], ['lyr_query_b key_cap', 'lyr_query_points key_cap']]
    assert.deepEqual(await bill('&price=true'), expected)
    assert.deepEqual(await bill(), expected)
    assert.deepEqual((await get('/tools/key'))['caps'], [
      { of: 'credits', in: 'day', cap: 4, left: 2 },
      { of: 'wordedAnswers', in: 'month', cap: 7, left: 7 },
    ])
    await database.db.work(`update account set balance = 1 where org_id = '${key.orgId}'`)
    const [, leftOut] = await bill()
    assert.deepEqual(
      leftOut,
      ['lyr_query_a', 'lyr_query_b', 'lyr_query_points'].map((id) => `${id} insufficient_credits`),
    )
    await database.db.work(`update account set balance = 98 where org_id = '${key.orgId}'`)
  })

  it('passes on to the key that replaces it, and is an event', async () => {
    const key = await capped({ daily_credits: 4 })
    const successor = await database.db.change('roll', (run) =>
      rollKey(run, { keyId: key.keyId }, { days: 30, grace: 'now' }),
    )
    assert.deepEqual([successor.dailyCredits, successor.monthlyCredits], [4, undefined])
    const events = await database.db.rows<{ detail: object }>(
      `select detail from key_event where key_id = $1::text and action = 'changed'`,
      [key.keyId],
    )
    assert.deepEqual(
      events.map(({ detail }) => detail),
      [{ daily_credits: { to: 4 } }],
    )
  })
})

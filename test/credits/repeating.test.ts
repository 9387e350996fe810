/** Calls that are sent again with their Idempotency-Key. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { openHold, postHold, voidHold } from '../../src/core/credits/allowance.js'
import { charge, voidCharge } from '../../src/core/credits/ledger.js'
import { enterRepetition } from '../../src/core/credits/repeating.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import type { TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, sharedWorld } from '../support/datasets.js'
import { sample } from '../support/sample.js'
import { until } from '../support/until.js'
import { ask, bearer, errorOf, mint, startService, type Minted, type Service } from '../support/service.js'

const PRICED = [{ layerId: 'lyr_a', price: 2 }]
const parallel = <T>(times: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, i) => run(i)))

describe('a call that is repeated under its Idempotency-Key', function () {
  this.timeout(120_000)
  let database: TestDatabase
  /** Connects as the service. */
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

  const account = async (credits: number): Promise<Minted> => {
    const key = await mint(database.db)
    await credit(database.db, key.orgId, credits)
    return key
  }
  const enter = (orgId: string, id: string, key: string) =>
    enterRepetition(db, { orgId }, id, { key, question: 'asked' })

  it('is charged once, though 40 come at the same time, and so under each key of each organisation', async () => {
    const accounts = await parallel(2, () => account(100))
    for (const key of accounts)
      await parallel(80, async (i) => {
        const id = randomUUID()
        assert.equal(await enter(key.orgId, id, `key ${i % 2}`), true)
        assert.deepEqual(await charge(db, key, id, PRICED), ['lyr_a'])
      })
    for (const { orgId } of accounts) assert.equal(await balanceOf(database.db, orgId), 96)
  })

  it('is charged exactly where some of its calls have not failed, in any order of their steps', async () => {
    /** A call enters, is charged, and may fail at any time after it entered, before its charge too. */
    const step = fc.record({ call: fc.nat(4), does: fc.constantFrom('charge', 'charge', 'fail') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const key = await account(100)
        const calls = new Map<number, { id: string; state: 'entered' | 'charged' | 'failed' }>()
        for (const { call, does } of steps) {
          const known = calls.get(call)
          const { id, state } = known ?? { id: randomUUID(), state: 'entered' }
          if (!known) assert.equal(await enter(key.orgId, id, 'one'), true)
          if (does === 'fail') await voidCharge(db, key, id)
          // The charge of a call that failed may still come late: it is refused, or it is that of another call.
          else await charge(db, key, id, PRICED).catch((error: Error) => assert.match(error.message, /has failed/))
          calls.set(call, { id, state: state === 'failed' || does === 'fail' ? 'failed' : 'charged' })
        }
        const states = [...calls.values()].map(({ state }) => state)
        const balance = await balanceOf(database.db, key.orgId)
        if (states.includes('charged')) assert.equal(balance, 98, states.join())
        else assert.equal(balance, 100, states.join())
      }),
      { numRuns: sample(150, 2000) },
    )
  })

  it('has its words counted once, and given back once nobody has them', async () => {
    const key = await account(5)
    const worded = async (id: string) => {
      await enter(key.orgId, id, 'words')
      const hold = await openHold(db, { ...key, plan: 'none' }, id)
      return [hold, hold === 'held' ? await postHold(db, key, id) : undefined]
    }
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    for (const id of [first, second]) assert.deepEqual(await worded(id), ['held', 'credits'])
    assert.equal(await balanceOf(database.db, key.orgId), 4)
    await voidHold(db, key, first)
    assert.equal(await balanceOf(database.db, key.orgId), 4, 'the second client has the words')
    await voidHold(db, key, second)
    assert.equal(await balanceOf(database.db, key.orgId), 5)
    assert.deepEqual(await worded(third), ['held', 'credits'], 'it is a new call')
    assert.equal(await balanceOf(database.db, key.orgId), 4)
  })

  it('gets the same answer, by each door, and another question under its key is refused', async () => {
    const key = await anotherReader(database.db, 100)
    const data = async (frames: string, idempotency: string, secret = key.secret) => {
      const headers = { ...bearer(secret), 'idempotency-key': idempotency }
      return await ask(`${running.url}/v1/frames/data?ids=${frames}`, { headers })
    }
    const first = await data(ids[0] ?? '', 'a')
    assert.deepEqual((first.body as { data: { charged: string[] } }).data.charged, ['lyr_query_a'])
    assert.deepEqual((await data(ids[0] ?? '', 'a')).body, first.body)
    assert.equal(await balanceOf(database.db, key.orgId), 98)
    await data(ids[0] ?? '', 'b')
    assert.equal(await balanceOf(database.db, key.orgId), 96)
    const other = await data(ids[1] ?? '', 'a')
    assert.deepEqual([other.status, errorOf(other).code], [400, 'invalid'])
    assert.match(errorOf(other).message, /^Idempotency-Key: a call that asks something else came with it/)
    for (const wrong of ['', 'a b', 'é', 'x'.repeat(201)])
      assert.deepEqual(errorOf(await data(ids[0] ?? '', wrong)).code, 'invalid', wrong)
    const records = async () =>
      await ask(`${running.url}/tools/records`, {
        method: 'POST',
        headers: { ...bearer(key.secret), 'content-type': 'application/json', 'idempotency-key': 'tools' },
        body: JSON.stringify({ ids: [ids[0]] }),
      })
    for (let times = 0; times < 3; times += 1) assert.equal((await records()).status, 200)
    assert.equal(await balanceOf(database.db, key.orgId), 94)
    const stranger = await anotherReader(database.db, 100)
    assert.equal(
      (await data(ids[1] ?? '', 'a', stranger.secret)).status,
      200,
      'a key of another organisation is another',
    )
  })

  it('leaves no charge where every client of it hung up, and is charged once where the last one stays', async () => {
    const key = await anotherReader(database.db, 100)
    let arrived = () => {}
    let held: Promise<void> | undefined
    const watch = (text: string) => {
      if (!held || !text.includes('records_of_baselines')) return undefined
      arrived()
      return held
    }
    const slow = await startService(database, { watch })
    const failed = async () =>
      (
        await database.db.rows<{ n: number }>(
          'select count(*)::int as n from repeated_call where org_id = $1::text and has_failed',
          [key.orgId],
        )
      )[0]?.n
    const call = (signal?: AbortSignal) =>
      ask(`${slow.url}/v1/frames/data?ids=${ids[0]}`, {
        headers: { ...bearer(key.secret), 'idempotency-key': 'hung-up' },
        ...(signal && { signal }),
      })
    try {
      for (const times of [1, 2]) {
        let release = () => {}
        held = new Promise((done) => (release = done))
        const reading = new Promise<void>((done) => (arrived = done))
        const client = new AbortController()
        const answer = call(client.signal).catch(() => undefined)
        await reading
        client.abort()
        await answer
        release()
        held = undefined
        await until(async () => (await failed()) === times)
      }
      assert.equal(await balanceOf(database.db, key.orgId), 100)
      assert.equal((await call()).status, 200)
      assert.equal((await call()).status, 200)
      assert.equal(await balanceOf(database.db, key.orgId), 98)
    } finally {
      await slow.stop()
    }
  })

  it('is charged anew a day later, and its row goes', async () => {
    const key = await account(10)
    const send = async () => {
      const id = randomUUID()
      await enter(key.orgId, id, 'day')
      await charge(db, key, id, PRICED)
    }
    await send()
    await database.db.rows(
      `update repeated_call set began_at = began_at - interval '24 hours' where org_id = $1::text`,
      [key.orgId],
    )
    await send()
    await send()
    assert.equal(await balanceOf(database.db, key.orgId), 6)
    await database.db.rows(
      `update repeated_call set began_at = began_at - interval '49 hours' where org_id = $1::text`,
      [key.orgId],
    )
    await db.work('select ledger_clean_up()')
    const rows = await database.db.rows('select from repeated_call where org_id = $1::text', [key.orgId])
    assert.equal(rows.length, 0)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chargeCall } from '../../src/core/credits/charging.js'
import { charge, chargeWalk, topUp, voidCharge } from '../../src/core/credits/ledger.js'
import { openRefunds } from '../../src/core/credits/refunds.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { onPostgres, urlOf, type TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, sharedWorld } from '../support/datasets.js'
import { startServe } from '../support/cli.js'
import { startProxy } from '../support/proxy.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, newOrganisation, startService, type Service } from '../support/service.js'

const A = { layerId: 'lyr_a', price: 2 }
const B = { layerId: 'lyr_b', price: 3 }
const parallel = <T>(times: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, i) => run(i)))

describe('the ledger', () => {
  let database: TestDatabase
  /** Connects as the service, which may change accounts and add entries, and nothing else. */
  let db: Database
  let service: Service & { stop: () => Promise<void> }

  before(async () => {
    ;({ database } = await sharedWorld())
    db = connect(database.target)
    service = await startService(database)
  })
  after(async () => {
    await service.stop()
    await db.close()
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })

  async function account(credits: number) {
    const key = await mint(database.db)
    if (credits > 0) await credit(database.db, key.orgId, credits)
    return key
  }

  it('lets parallel calls on credits for a quarter of them charge exactly that many, without error, run after run', async () => {
    const covered = sample(15, 50)
    for (let run = 0; run < sample(2, 20); run += 1) {
      const key = await anotherReader(database.db, 2 * covered)
      const url = `${service.url}/v1/frames/data?ids=${ids[0]}`
      const answers = await parallel(4 * covered, () => ask(url, { headers: bearer(key.secret) }))
      const bills = answers.map(({ status, body }) => {
        assert.equal(status, 200)
        return (body as { data: { charged: string[]; leftOut: unknown[] } }).data
      })
      assert.equal(bills.filter(({ charged }) => charged.length === 1).length, covered)
      assert.equal(bills.filter(({ leftOut }) => leftOut.length === 1).length, 3 * covered)
      assert.equal(await balanceOf(database.db, key.orgId), 0)
    }
  })

  it('charges a request once, though 40 parallel charges have its id', async () => {
    const key = await account(100)
    const requestId = randomUUID()
    const answers = await parallel(40, () => charge(db, key, requestId, [A, B]))
    for (const charged of answers) assert.deepEqual(charged, ['lyr_a', 'lyr_b'])
    assert.equal(await balanceOf(database.db, key.orgId), 95)
  })

  it('keeps to what was decided for a request, also after a top-up', async () => {
    const key = await account(2)
    const requestId = randomUUID()
    assert.deepEqual(await charge(db, key, requestId, [A, B]), ['lyr_a'])
    await credit(database.db, key.orgId, 100)
    assert.deepEqual(await charge(db, key, requestId, [A, B]), ['lyr_a'])
    assert.equal(await balanceOf(database.db, key.orgId), 100)
  })

  it('charges a walk once, though 40 calls have pages of it at the same time', async () => {
    const key = await account(100)
    const answers = await parallel(40, (i) => chargeWalk(db, key, { requestId: `${key.keyId} ${i}`, walk: 'a' }, A))
    assert.equal(answers.filter((charged) => charged?.[0] === 'lyr_a').length, 1)
    assert.equal(answers.filter((charged) => charged === null).length, 39)
    assert.equal(await balanceOf(database.db, key.orgId), 98)
  })

  it('gives a walk back that failed before any other call had a page of it, and never after', async () => {
    for (const [others, balance, next] of [
      [[], 10, ['lyr_a']],
      [['second'], 8, null],
    ] as const) {
      const key = await account(10)
      const page = (requestId: string) => chargeWalk(db, key, { requestId: key.keyId + requestId, walk: 'a' }, A)
      assert.deepEqual(await page('first'), ['lyr_a'])
      assert.deepEqual(await page('first'), ['lyr_a'], 'a retry')
      for (const other of others) assert.equal(await page(other), null)
      await voidCharge(db, key, `${key.keyId}first`)
      assert.equal(await balanceOf(database.db, key.orgId), balance)
      assert.deepEqual(await page('third'), next)
      assert.equal(await balanceOf(database.db, key.orgId), 8)
    }
  })

  it('has no walk that is paid for by a call that failed before its charge came', async () => {
    const key = await account(10)
    await voidCharge(db, key, `${key.keyId} late`)
    await assert.rejects(chargeWalk(db, key, { requestId: `${key.keyId} late`, walk: 'a' }, A), /has failed/)
    assert.deepEqual(await chargeWalk(db, key, { requestId: `${key.keyId} next`, walk: 'a' }, A), ['lyr_a'])
    assert.equal(await balanceOf(database.db, key.orgId), 8)
  })

  it('refunds the charges of a request once', async () => {
    const key = await account(10)
    const requestId = randomUUID()
    await charge(db, key, requestId, [A, B])
    assert.equal(await balanceOf(database.db, key.orgId), 5)
    await parallel(20, () => voidCharge(db, key, requestId))
    assert.equal(await balanceOf(database.db, key.orgId), 10)
    await voidCharge(db, key, randomUUID())
    assert.equal(await balanceOf(database.db, key.orgId), 10)
  })

  it('tops up once under one request id', async () => {
    const { orgId } = await account(0)
    const balances = await parallel(20, () => topUp(database.db, orgId, 7, 'the same'))
    assert.deepEqual(new Set(balances), new Set([7]))
    assert.equal(await balanceOf(database.db, orgId), 7)
  })

  it('counts whole credits exactly, up to the most a JSON number holds', async () => {
    const { orgId, ...key } = await account(0)
    const most = Number.MAX_SAFE_INTEGER
    assert.equal(await credit(database.db, orgId, most), most)
    await assert.rejects(credit(database.db, orgId, 1), /are the most it may/)
    for (let spent = 1; spent <= 3; spent += 1) {
      await charge(db, { orgId, ...key }, randomUUID(), [{ layerId: 'lyr_a', price: 1 }])
      assert.equal(await balanceOf(database.db, orgId), most - spent)
    }
    for (const wrong of [0, -1, 0.5, NaN, Infinity]) await assert.rejects(credit(database.db, orgId, wrong), /whole/)
    const types = await database.db.rows<{ type: string }>(
      `select distinct format_type(atttypid, atttypmod) as type from pg_attribute
      where (attrelid, attname) in (('account'::regclass, 'balance'), ('credit_entry'::regclass, 'credits'), ('licence'::regclass, 'price'))
      order by 1`,
      [],
    )
    assert.deepEqual(
      types.map(({ type }) => type),
      ['bigint', 'integer'],
    )
  })

  it('never lets one organisation pay for another, nor a balance go below zero', async () => {
    const [one, other] = [await account(3), await account(50)]
    await parallel(60, (i) => charge(db, i % 2 === 0 ? one : other, randomUUID(), [A, B]))
    assert.ok((await balanceOf(database.db, one.orgId)) < 2)
    assert.equal(await balanceOf(database.db, other.orgId), 0)
    await assert.rejects(
      database.db.work(`update account set balance = -1 where org_id = '${one.orgId}'`),
      /balance_not_negative/,
    )
  })

  it('does not deadlock under parallel charges, top-ups and refunds of three organisations', async () => {
    const keys = await parallel(3, () => account(500))
    const requests = await parallel(40, async () => randomUUID())
    await parallel(sample(200, 600), async (i) => {
      const key = keys[i % 3]
      const requestId = requests[(i * 7) % 40] ?? ''
      if (!key) return
      if (i % 5 === 0) await credit(database.db, key.orgId, 1)
      else if (i % 7 === 0) await voidCharge(db, key, requestId)
      else {
        await charge(db, key, requestId, i % 2 === 0 ? [A, B] : [B]).catch((error: Error) =>
          assert.match(error.message, /has failed and is charged nothing/),
        )
      }
    })
  })

  it('leaves the account alone where nothing is priced', async () => {
    const key = await account(1)
    const refunds = openRefunds(db, { onFailure: () => assert.fail() })
    const call = { caller: key, requestId: randomUUID() }
    assert.deepEqual(await chargeCall({ db, refunds }, call, []), { charged: [], leftOut: [] })
    const org = await newOrganisation(database.db)
    assert.equal(await balanceOf(database.db, org), 0)
  })

  if (onPostgres) {
    it('settles a commit whose outcome is unknown under the same request id, in the same process', async () => {
      const url = new URL(urlOf(database.target))
      const proxy = await startProxy(Number(url.port))
      url.port = String(proxy.port)
      const served = await startServe({
        DATABASE_URL: url.toString(),
        BUCKET_KEY: '9000/9000',
        BUCKET_ORGANISATION: '9000/9000',
      })
      const turns = sample(2, 20)
      try {
        const key = await anotherReader(database.db, 1000)
        const entries =
          'select count(distinct request_id)::int as n from credit_entry where kind = $1::text and org_id = $2::text'
        for (let turn = 1; turn <= turns; turn += 1) {
          proxy.cutNextCommit()
          const answer = await ask(`${served.url}/v1/frames/data?ids=${ids[4]}`, { headers: bearer(key.secret) })
          assert.equal(answer.status, 200, served.stderr())
          assert.deepEqual((answer.body as { data: { charged: string[] } }).data.charged, [
            'lyr_query_a',
            'lyr_query_b',
            'lyr_query_points',
          ])
          assert.equal(await balanceOf(database.db, key.orgId), 1000 - turn * 9)
          const [row] = await database.db.rows<{ n: number }>(entries, ['dataset', key.orgId])
          assert.equal(row?.n, turn)
        }
        assert.equal(proxy.cuts(), turns, 'the proxy cut each of them')
        assert.equal(served.child.exitCode, null)
      } finally {
        served.child.kill('SIGKILL')
        await served.ended
        await proxy.close()
      }
    })
  }
})

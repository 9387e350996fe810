/** A dataset with a price is a file at a price of its own, which an organisation pays once for a version. */
import assert from 'node:assert/strict'
import { capKey } from '../../src/core/access/keys.js'
import { license, sellFile } from '../../src/core/access/licences.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { balanceOf, credit } from '../support/datasets.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { randomNumbers } from '../support/random-numbers.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, newOrganisation, startService, type Minted } from '../support/service.js'
import { until } from '../support/until.js'
import { worldIn } from '../support/world.js'
import { type Bytes, read, tagOf } from './read.js'

const LAYER = 'lyr_query_a'
const PRICE = 50
const STEPS = sample(60, 2000)

type Listed = { layerId: string; version: string; price?: number; isPaid?: boolean }

describe('a file with a price', function () {
  this.timeout(sample(180_000, 1_200_000))
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  const get = (key: Minted, headers: Record<string, string> = {}, method = 'GET', name = `${LAYER}.csv`) =>
    read(`${running.url}/files/${name}`, { secret: key.secret, headers, method })
  const left = ({ orgId }: Minted) => balanceOf(running.db, orgId)

  /** A key of an organisation that pays 2 credits a call, and 50 for the file. */
  async function buyer(credits: number): Promise<Minted> {
    const { db } = running
    const org = await newOrganisation(db)
    await license(db.run, LAYER, org, 2)
    await sellFile(db.run, LAYER, org, PRICE)
    if (credits > 0) await credit(db, org, credits)
    return await mint(db, { org })
  }
  async function listed(key: Minted): Promise<Listed | undefined> {
    const { body } = await ask(`${running.url}/files`, { headers: bearer(key.secret) })
    return (body as { data: { datasets: Listed[] } }).data.datasets.find(({ layerId }) => layerId === LAYER)
  }
  /** An import that brings the same rows. */
  const newVersion = () =>
    running.db.rows('update dataset set imported_at = clock_timestamp() where layer_id = $1::text', [LAYER])
  const refused = ({ status, headers, bytes }: Bytes, message: RegExp) => {
    assert.deepEqual([status, headers.etag, headers['content-range']], [404, undefined, undefined])
    const { error } = JSON.parse(bytes.toString()) as { error: { code: string; message: string } }
    assert.equal(error.code, 'not_found')
    assert.match(error.message, message)
  }

  before(async () => {
    database = await newDatabase('world')
    running = await startService(database)
    await worldIn(database.db)
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(running.db))], [])
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })

  it('is charged with its first bytes, and never again for that version, whatever key, form and range', async () => {
    const key = await buyer(120)
    const sale = await listed(key)
    const version = sale?.version ?? ''
    assert.deepEqual([sale?.price, sale?.isPaid], [PRICE, false])
    const head = await get(key, {}, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length, await left(key)], [200, 0, 120])
    const piece = await get(key, { range: 'bytes=0-9' })
    assert.deepEqual([piece.status, piece.bytes.length, await left(key)], [206, 10, 70])
    const another = await mint(running.db, { org: key.orgId })
    for (const [method, name, headers] of [
      ['GET', 'csv', {}],
      ['HEAD', 'csv', {}],
      ['GET', 'csv', { range: 'bytes=-5' }],
      ['GET', 'csv', { 'if-none-match': tagOf((await get(key)).bytes) }],
      ['GET', 'attributes.json', {}],
    ] as const)
      assert.ok((await get(another, headers, method, `${LAYER}.${name}`)).status < 400)
    // A price that is taken back takes no version that was paid for.
    await sellFile(running.db.run, LAYER, key.orgId, undefined)
    await running.db.rows(`update paid_walk set paid_at = paid_at - interval '9 days'`, [])
    await running.db.rows('select ledger_clean_up()', [])
    assert.equal((await get(another)).status, 200)
    assert.equal(await left(key), 70)
    const bought = await listed(key)
    assert.deepEqual([bought?.version, bought?.isPaid, bought?.price], [version, true, undefined])
    const others = await buyer(0)
    refused(
      await get(others),
      /^lyr_query_a as a file costs 50 credits, once for this version, and the credits of the organisation do not cover that\. Nothing was charged\.$/,
    )
    await newVersion()
    refused(await get(another), /^lyr_query_a costs 2 credits a call, so it is no file/)
    await sellFile(running.db.run, LAYER, key.orgId, 30)
    assert.equal((await get(another)).status, 200)
    assert.equal(await left(key), 40)
  })

  it('is not charged, or given back, where no byte is given: 304, 412 and 416', async () => {
    const key = await buyer(60)
    const { etag = '', 'last-modified': modified = '' } = (await get(key, {}, 'HEAD')).headers as Record<string, string>
    for (const [headers, status] of [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-unmodified-since': 'Wed, 01 Jan 2020 00:00:00 GMT' }, 412],
      [{ range: 'bytes=9999999-', 'if-range': etag }, 416],
      [{ 'if-match': '"other"' }, 412],
      [{ range: 'bytes=9999999-' }, 416],
    ] as const) {
      assert.equal((await get(key, headers)).status, status)
      await until(async () => (await left(key)) === 60, { ms: 20_000 })
      assert.equal((await listed(key))?.isPaid, false)
    }
    assert.equal((await get(key)).status, 200)
    assert.equal(await left(key), 10)
  })

  it('is charged once to downloads that come at once, and gives nothing where a cap or the credits do not cover it', async () => {
    // One process charges an organisation for one call after the other; two do not.
    const second = await startService(database)
    try {
      const urls = [running, second].map(({ url }) => `${url}/files/${LAYER}.csv`)
      const { secret } = await buyer(0)
      await Promise.all(urls.map((url) => read(url, { secret, method: 'HEAD' })))
      for (let round = 0; round < 5; round += 1) {
        const key = await buyer(3 * PRICE)
        const all = await Promise.all([...urls, ...urls, ...urls].map((url) => read(url, { secret: key.secret })))
        assert.deepEqual([...new Set(all.map(({ status, bytes }) => `${status} ${bytes.length > 0}`))], ['200 true'])
        assert.equal(await left(key), 2 * PRICE)
      }
    } finally {
      await second.stop()
    }
    const capped = await buyer(1000)
    await capKey(running.db.run, capped, { daily_credits: PRICE - 1 })
    refused(await get(capped), /and the cap of this key has less left\. Nothing was charged\.$/)
    const poor = await buyer(PRICE - 1)
    refused(await get(poor, { range: 'bytes=0-0' }), /and the credits of the organisation do not cover that/)
    assert.deepEqual([await left(capped), await left(poor)], [1000, PRICE - 1])
  })

  it(`takes the price once for each version and organisation, in ${STEPS} steps at random`, async () => {
    const random = randomNumbers(49)
    const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T
    const buyers = await Promise.all([buyer(500), buyer(120), buyer(PRICE - 1)])
    const expected = new Map(buyers.map(({ orgId }, i) => [orgId, [500, 120, PRICE - 1][i] ?? 0]))
    let paid = new Set<string>()
    for (let step = 0; step < STEPS; step += 1) {
      if (random() < 0.08) {
        await newVersion()
        paid = new Set()
      }
      const key = pick(buyers)
      const balance = expected.get(key.orgId) ?? 0
      const isPaid = paid.has(key.orgId)
      const [headers, method] = pick<[Record<string, string>, string]>([
        [{}, 'GET'],
        [{ range: 'bytes=3-9' }, 'GET'],
        [{}, 'HEAD'],
        [{ range: 'bytes=3-9' }, 'HEAD'],
        [{ range: 'bytes=9999999-' }, 'GET'],
        [{ 'if-match': '"other"' }, 'GET'],
      ])
      const came = await Promise.all(Array.from({ length: pick([1, 1, 3]) }, () => get(key, headers, method)))
      const isWrong = 'if-match' in headers || headers['range'] === 'bytes=9999999-'
      const isAffordable = isPaid || method === 'HEAD' || balance >= PRICE
      const what = `step ${step}: ${method} ${JSON.stringify(headers)}, ${isPaid ? 'paid' : 'not paid'}, ${balance} left`
      for (const { status, bytes } of came) {
        assert.equal(status >= 400, isWrong || !isAffordable, `${what}: ${status}`)
        if (status >= 400) assert.doesNotMatch(bytes.toString(), /lyr_query_a on/, what)
      }
      const buys = method === 'GET' && !isPaid && isAffordable && !isWrong
      if (buys) paid.add(key.orgId)
      expected.set(key.orgId, balance - (buys ? PRICE : 0))
      await until(async () => (await left(key)) === expected.get(key.orgId), { ms: 20_000 }).catch(async () => {
        assert.fail(`${what}: ${await left(key)} left, ${expected.get(key.orgId)} expected`)
      })
      if (isWrong && !isPaid) assert.equal((await listed(key))?.isPaid, false, what)
    }
  })
})

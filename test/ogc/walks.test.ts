import assert from 'node:assert/strict'
import { capKey } from '../../src/core/access/keys.js'
import { license } from '../../src/core/access/licences.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { balanceOf, credit } from '../support/datasets.js'
import { ask, bearer, mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { everyItem, found, linkOf, ogc, query, refusal, type Items } from './ogc-calls.js'

const METRES = 'http://www.opengis.net/def/crs/EPSG/0/3857'
const MARKET = '/collections/lyr_market/items'
const RESERVES = '/collections/lyr_reserves/items'
const PRICES = { lyr_market: 2, lyr_reserves: 4 }

/** A key of an organisation that pays for lyr_market and lyr_reserves. */
async function payer(credits: number): Promise<Minted> {
  const { db } = service()
  const org = await newOrganisation(db)
  for (const [layer, price] of Object.entries(PRICES)) await license(db.run, layer, org, price)
  if (credits > 0) await credit(db, org, credits)
  return await mint(db, { org })
}

const credits = ({ orgId }: Minted) => balanceOf(service().db, orgId)

/** What a call costs; its quote says the same before. */
async function costOf(path: string, key: Minted): Promise<number> {
  const before = await credits(key)
  const quoted = path.includes('/items/')
    ? undefined
    : await found<{ price: { credits: number; balance?: number } }>(
        `${path}${path.includes('?') ? '&' : '?'}price=true`,
        key.secret,
      )
  assert.equal(await credits(key), before, `${path}: its quote charges`)
  await found<Items>(path, key.secret)
  const cost = before - (await credits(key))
  if (!quoted) return cost
  assert.equal(quoted.price.credits, cost, `${path}: its quote`)
  if (cost > 0) assert.equal(quoted.price.balance, before, `${path}: its quote`)
  return cost
}

describe('a walk over the items of a priced dataset', function () {
  this.timeout(60_000)
  let ids: string[]

  before(async () => {
    ids = (await everyItem(`${MARKET}?limit=5000`, (await payer(2)).secret)).map(({ id }) => id)
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(service().db))], [])
  })

  it('is charged once within an hour, whatever its pages; a first page of up to 20 items is free', async () => {
    const key = await payer(100)
    const steps: [path: string, cost: number][] = [
      [`${MARKET}?limit=10`, 0],
      [`${MARKET}?limit=20`, 0],
      [`${MARKET}?limit=10&crs=${encodeURIComponent(METRES)}`, 0],
      // the second page of the probe
      [`${MARKET}?limit=10&after=${ids[9]}`, 2],
      [`${MARKET}?limit=10&after=${ids[19]}`, 0],
      [`${MARKET}?limit=5000`, 0],
      [MARKET, 0],
      [`${MARKET}?limit=21&crs=${encodeURIComponent(METRES)}`, 0],
      // other items
      [`${MARKET}?limit=1&bbox=0,0,0.3,0.3`, 2],
      [`${MARKET}?limit=300&bbox=0,0,0.3,0.3`, 0],
      [`${MARKET}?limit=1&bbox=0,0,0.3,0.2`, 2],
      [`${MARKET}?${query({ filter: 'mkt_shops > 3', limit: 5 })}`, 2],
      [`${MARKET}?${query({ filter: 'mkt_shops > 3', limit: 500 })}`, 0],
      [`${MARKET}?${query({ filter: 'mkt_shops > 4', limit: 5 })}`, 2],
      [`${MARKET}/${ids[7]}`, 2],
      [`${MARKET}/${ids[7]}`, 0],
      [`${MARKET}/${ids[8]}`, 2],
      // nothing lies there
      [`${MARKET}?bbox=9,9,10,10`, 0],
    ]
    for (const [path, cost] of steps) assert.equal(await costOf(path, key), cost, path)
    const before = await credits(key)
    assert.equal(await refusal(`${MARKET}/7`, key.secret), '404 not_found')
    assert.equal(await credits(key), before)
  })

  it('begins with a page of more than 20 items, and with one that comes after another', async () => {
    for (const path of [`${MARKET}?limit=21`, MARKET, `${MARKET}?limit=1&after=${ids[0]}`])
      assert.equal(await costOf(path, await payer(2)), 2, path)
  })

  it('shows nobody more than half of a dataset for nothing, and all of it to those who paid', async () => {
    const key = await payer(4)
    const shown = async (limit: number) => await found<Items>(`${RESERVES}?limit=${limit}`, key.secret)
    for (const limit of [1, 2, 5, 20]) {
      const page = await shown(limit)
      assert.deepEqual([page.numberReturned, page.numberMatched], [Math.min(limit, 2), 5])
      assert.ok(linkOf(page, 'next'))
    }
    assert.equal(await credits(key), 4)
    assert.equal((await everyItem(`${RESERVES}?limit=20`, key.secret)).length, 5)
    assert.equal(await credits(key), 0)
    assert.equal((await shown(20)).numberReturned, 5)
    assert.equal(await credits(key), 0)
  })

  it('is charged anew for another key, for new rows, and an hour later', async () => {
    const { db } = service()
    const key = await payer(100)
    const other = await mint(db, { org: key.orgId })
    assert.equal(await costOf(MARKET, key), 2)
    assert.equal(await costOf(MARKET, { ...key, secret: other.secret }), 2)
    await db.rows(`update dataset set imported_at = clock_timestamp() where layer_id = $1`, ['lyr_market'])
    assert.equal(await costOf(MARKET, key), 2)
    await db.rows(`update paid_walk set paid_at = paid_at - interval '59 minutes' where org_id = $1`, [key.orgId])
    assert.equal(await costOf(MARKET, key), 0)
    await db.rows(`update paid_walk set paid_at = paid_at - interval '1 minute' where org_id = $1`, [key.orgId])
    assert.equal(await costOf(MARKET, key), 2)
    assert.equal(await costOf(MARKET, key), 0)
  })

  it('is charged once where two services answer its pages at the same time', async () => {
    const key = await payer(100)
    const second = await startService(service().database)
    try {
      const pages = Array.from({ length: 20 }, (_, i) => {
        const root = i % 2 === 0 ? service().url : second.url
        return ogc(`${root}/ogc${MARKET}?limit=30&after=${ids[30 * i]}`, key.secret)
      })
      for (const { status } of await Promise.all(pages)) assert.equal(status, 200)
      assert.equal(await credits(key), 98)
    } finally {
      await second.stop()
    }
  })

  it('that the credits do not cover is refused at its first page that is no probe', async () => {
    const key = await payer(1)
    const probe = await found<Items>(`${MARKET}?limit=10`, key.secret)
    for (const path of [linkOf(probe, 'next') ?? '', `${MARKET}/${ids[0]}`]) {
      assert.equal(await refusal(path, key.secret), '403 insufficient_credits')
      assert.match((await ogc(path, key.secret)).text, /lyr_market costs 2 credits/)
    }
    assert.equal(await credits(key), 1)
    await credit(service().db, key.orgId, 1)
    assert.equal(await costOf(`${MARKET}/${ids[0]}`, key), 2)
    await license(service().db.run, 'lyr_market', key.orgId, undefined)
    assert.equal(await costOf(MARKET, key), 0)
  })

  it('that a cap of the key does not cover is refused by that name', async () => {
    const { db } = service()
    const key = await payer(100)
    await capKey(db.run, { keyId: key.keyId }, { daily_credits: 1 })
    assert.equal(await refusal(MARKET, key.secret), '403 key_cap')
    const { text } = await ogc(MARKET, key.secret)
    assert.match(text, /lyr_market costs 2 credits .*, and the cap of this key has less left\. Nothing was charged\./)
    await db.rows('update account set balance = 1 where org_id = $1', [key.orgId])
    assert.equal(await refusal(MARKET, key.secret), '403 insufficient_credits')
    await db.rows('update account set balance = 100 where org_id = $1', [key.orgId])
    await capKey(db.run, { keyId: key.keyId }, { daily_credits: 2 })
    assert.equal(await costOf(MARKET, key), 2)
  })

  it('never comes as 304, so that a page that is paid for is no answer for others', async () => {
    const key = await payer(10)
    for (const path of [`${MARKET}?limit=10`, MARKET, `${MARKET}?limit=9`]) {
      const { status, headers } = await ask(`${service().url}/ogc${path}`, {
        headers: { ...bearer(key.secret), 'if-none-match': '*' },
      })
      assert.deepEqual([status, headers.get('etag')], [200, null])
    }
  })
})

describe('a page of /ogc', () => {
  it('says how many items there are in all where no box and no filter chooses', async () => {
    for (const id of ['frames', 'lyr_buildings', 'lyr_schools', 'lyr_schools_distance']) {
      const path = `/collections/${id}/items`
      const { length } = await everyItem(`${path}?limit=5000`)
      for (const asked of ['', '?limit=1', '?limit=2&crs=' + encodeURIComponent(METRES)])
        assert.equal((await found<Items>(path + asked)).numberMatched, length, id + asked)
      const state = id.startsWith('lyr_schools') ? 'bbox=0,0,1,1' : query({ filter: `state = 'MAREMBE'` })
      assert.equal((await found<Items>(`${path}?limit=1&${state}`)).numberMatched, undefined, id)
    }
  })

  it('says nothing of their number where the index may lack frames of a baseline', async () => {
    const { db } = service()
    const more = (rows: number) =>
      db.rows(`update dataset set items = items + $1 where layer_id = 'lyr_buildings'`, [rows])
    await more(1)
    try {
      const page = await found<Items>('/collections/lyr_buildings/items?limit=1')
      assert.equal(page.numberMatched, undefined)
    } finally {
      await more(-1)
    }
  })

  it('of up to 20 items leads to pages that read the collection in few calls; a longer one keeps its length', async () => {
    const cases: [collection: string, limit: number, next: string][] = [
      ['frames', 10, '5000'],
      ['lyr_buildings', 20, '5000'],
      ['lyr_buildings', 21, '21'],
      ['lyr_schools', 10, '1000'],
      ['wards', 2, '1000'],
    ]
    for (const [collection, limit, expected] of cases) {
      const page = await found<Items>(`/collections/${collection}/items?limit=${limit}`)
      const next = new URL(linkOf(page, 'next') ?? '').searchParams
      assert.equal(next.get('limit'), expected, `${collection} by ${limit}`)
    }
  })
})

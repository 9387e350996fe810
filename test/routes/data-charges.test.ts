import assert from 'node:assert/strict'
import { license, unlicense } from '../../src/core/access/licences.js'
import type { Preset } from '../../src/core/access/capabilities.js'
import { anotherReader, balanceOf, ids } from '../support/datasets.js'
import { ask, bearer, errorOf, mint, type Minted } from '../support/service.js'
import { dataCalls, datasetsIn, type Data } from './data-calls.js'

type Quoted = Data & { price?: { credits: number; datasets: object[]; balance?: number } }
type Asked = {
  credits: number
  frames: readonly string[]
  more?: string
  preset?: Preset
  /** The key is narrowed to it. */
  narrowed?: string
  /** The organisation pays this much for lyr_query_a, and not 2. */
  priceOfA?: number
  charged?: string[]
  leftOut?: string[]
  /** The other datasets that the answer shows, where a row says so. */
  free?: string[]
}

const [A, B, POINTS] = ['lyr_query_a', 'lyr_query_b', 'lyr_query_points']
const PRICES: Record<string, number> = { [A]: 2, [B]: 3, [POINTS]: 4 }
const few = ids.slice(3, 5)
/** What is charged, once a request, in the order of ids, until one is not covered; later ones that can be are charged. */
const ASKED: Record<string, Asked> = {
  'once, however many frames': { credits: 100, frames: ids.slice(0, 3), charged: [A] },
  'nothing, and not where it records nothing': { credits: 100, frames: ids.slice(9) },
  'nothing, for a frame that is not there': { credits: 100, frames: ['7', '99999999999999999999', '007'] },
  'all that contribute': { credits: 100, frames: ids.slice(0, 5), charged: [A, B, POINTS] },
  'some, as the credits do not cover all': { credits: 6, frames: ids, charged: [A, B], leftOut: [POINTS] },
  'to the last credit': { credits: 5, frames: ids, charged: [A, B], leftOut: [POINTS] },
  'the cheaper one after one that is not covered': { credits: 2, frames: few, charged: [A], leftOut: [B, POINTS] },
  'the later one where an earlier is not covered': { credits: 5, frames: ids, priceOfA: 6, charged: [B], leftOut: [A, POINTS] },
  'nothing, without credits': { credits: 0, frames: ids, leftOut: [A, B, POINTS] },
  'the named ones': { credits: 100, frames: ids, more: `datasets=${B},${POINTS}`, charged: [B, POINTS], free: [] },
  'the named ones, beside free ones': { credits: 9, frames: few, more: `datasets=${B},lyr_open`, charged: [B], free: ['lyr_open'] },
  'nothing, for free datasets': { credits: 100, frames: ids, more: 'datasets=lyr_open', free: ['lyr_open'] },
  'nothing, for what cannot be read': { credits: 9, frames: few, more: 'datasets=lyr_private,lyr_unknown,lyr_open,lyr_open', free: ['lyr_open'] },
  'nothing, for what is unknown': { credits: 9, frames: few, more: 'datasets=lyr_unknown', free: [] },
  'no features without feature.read': { credits: 100, frames: ids, preset: 'analyst', charged: [A, B], free: ['lyr_open', 'lyr_some'] },
  'to a narrowed key what it names: free': { credits: 0, frames: ids, narrowed: 'lyr_open', free: ['lyr_open'] },
  'to a narrowed key what it names: free on some frames': { credits: 0, frames: ids, narrowed: 'lyr_some', free: ['lyr_some'] },
  'to a narrowed key what it names: not covered': { credits: 0, frames: ids, narrowed: A, leftOut: [A], free: [] },
  'to a narrowed key what it names: features not covered': { credits: 3, frames: ids, narrowed: POINTS, leftOut: [POINTS], free: [] },
  'to a narrowed key what it names: covered': { credits: 3, frames: ids, narrowed: B, charged: [B], free: [] },
  'to a narrowed key nothing of another organisation': { credits: 9, frames: ids, narrowed: 'lyr_private', free: [] },
  'to a narrowed key nothing that is licensed to others': { credits: 9, frames: ids, narrowed: 'lyr_theirs', free: [] },
  'to a narrowed key nothing else that is named': { credits: 9, frames: few, narrowed: 'lyr_open', more: `datasets=${A},lyr_open`, free: ['lyr_open'] },
} // prettier-ignore

describe('GET /v1/frames/data', () => {
  const calls = dataCalls()
  const dataWith = async (key: Minted, asked: readonly string[], more: string) => {
    const answer = await ask(`${calls.path(asked)}&${more}`, { headers: bearer(key.secret) })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as { data: Quoted }).data
  }

  describe('charges', () => {
    for (const [what, asked] of Object.entries(ASKED))
      it(`${what}; price=true says so before, and charges nothing`, async () => {
        const { credits, frames, more = 'price=false', charged = [], leftOut = [], free, priceOfA = PRICES[A] } = asked
        const { db } = calls.database
        const { orgId, ...whole } = await anotherReader(db, credits)
        if (priceOfA !== PRICES[A]) await license(db.run, A, orgId, priceOfA)
        const wanted = {
          ...(asked.preset && { preset: asked.preset }),
          ...(asked.narrowed && { datasets: [asked.narrowed] }),
        }
        const key = Object.keys(wanted).length > 0 ? await mint(db, { org: orgId, ...wanted }) : { orgId, ...whole }
        const quote = await dataWith(key, frames, more === 'price=false' ? 'price=true' : `${more}&price=true`)
        assert.equal(await balanceOf(db, orgId), credits)
        const real = await dataWith(key, frames, more)
        const priceOf = (layerId: string) => (layerId === A ? priceOfA : PRICES[layerId]) ?? NaN
        const cost = charged.reduce((sum, layerId) => sum + priceOf(layerId), 0)
        assert.deepEqual([real.charged, await balanceOf(db, orgId)], [charged, credits - cost])
        assert.deepEqual(
          real.leftOut,
          leftOut.map((layerId) => ({
            layerId,
            name: `Name of ${layerId}`,
            reason: 'insufficient_credits',
            price: priceOf(layerId),
          })),
        )
        const shown = datasetsIn(real)
        for (const layerId of leftOut) assert.ok(!shown.includes(layerId), layerId)
        if (free) assert.deepEqual(shown, [...free, ...charged].toSorted())
        assert.deepEqual([quote.frames, quote.charged, quote.leftOut], [[], charged, real.leftOut])
        const isPriced = charged.length + leftOut.length > 0
        assert.deepEqual(quote.price, {
          credits: cost,
          datasets: charged.map((layerId) => ({ layerId, name: `Name of ${layerId}`, price: priceOf(layerId) })),
          ...(isPriced && { balance: credits }),
        })
      })
  })

  describe('charges for a dataset that is licensed per query', () => {
    it('in entries of the ledger that name the request, the key and the dataset', async () => {
      const key = await anotherReader(calls.database.db, 20)
      const answer = await ask(calls.path(ids), { headers: bearer(key.secret) })
      const rows = await calls.database.db.rows<Record<string, unknown>>(
        `select layer_id, dataset, key_id, key_name, request_id, credits::int as credits, balance::int as balance
        from credit_statement where org_id = $1::text and kind = 'dataset' order by layer_id`,
        [key.orgId],
      )
      const common = { key_id: key.keyId, key_name: 'tests', request_id: answer.headers.get('x-request-id') }
      assert.deepEqual(
        [...rows],
        [
          { ...common, layer_id: 'lyr_query_a', dataset: 'Name of lyr_query_a', credits: -2, balance: 18 },
          { ...common, layer_id: 'lyr_query_b', dataset: 'Name of lyr_query_b', credits: -3, balance: 15 },
          { ...common, layer_id: 'lyr_query_points', dataset: 'Name of lyr_query_points', credits: -4, balance: 11 },
        ],
      )
    })

    it('never to its owner, though everybody else pays', async () => {
      const { run } = calls.database.db
      await license(run, 'lyr_private', 'everyone', 5)
      const other = await anotherReader(calls.database.db, 20)
      assert.deepEqual((await calls.data(other, ids.slice(9))).charged, ['lyr_private'])
      const answer = await calls.data(calls.world.ownerKey, ids.slice(9))
      assert.deepEqual([answer.charged, answer.leftOut], [[], []])
      assert.ok(datasetsIn(answer).includes('lyr_private'))
      await unlicense(run, 'lyr_private', 'everyone')
    })

    it('by the licence there is at that moment', async () => {
      const key = await anotherReader(calls.database.db, 50)
      const { run } = calls.database.db
      await license(run, 'lyr_query_a', key.orgId, 10)
      assert.deepEqual((await calls.data(key, ids.slice(0, 1))).charged, ['lyr_query_a'])
      assert.equal(await balanceOf(calls.database.db, key.orgId), 40)
      await license(run, 'lyr_query_a', key.orgId, undefined)
      assert.deepEqual((await calls.data(key, ids.slice(0, 1))).charged, [])
      await unlicense(run, 'lyr_query_a', key.orgId)
      assert.ok(!datasetsIn(await calls.data(key, ids.slice(0, 1))).includes('lyr_query_a'))
      assert.equal(await balanceOf(calls.database.db, key.orgId), 40)
    })

    it('never for a call that ends in an error, is refused, or asks by HEAD', async () => {
      const key = await anotherReader(calls.database.db, 30)
      const headers = bearer(key.secret)
      const head = await ask(calls.path(ids), { method: 'HEAD', headers })
      assert.deepEqual([head.status, head.headers.get('allow')], [405, 'GET'])
      assert.equal((await ask(`${calls.path(ids)}&ids=1`, { headers })).status, 400)
      const misspelt = await ask(`${calls.path(ids)}&dataset=lyr_query_b`, { headers })
      assert.deepEqual([misspelt.status, errorOf(misspelt).code], [400, 'invalid'])
      assert.equal(
        errorOf(misspelt).message,
        'dataset: this call takes ids, datasets and price. Did you mean datasets?',
      )
      await calls.database.db.work('alter table feature_frame rename to away')
      try {
        assert.equal((await ask(calls.path(ids), { headers })).status, 500)
      } finally {
        await calls.database.db.work('alter table away rename to feature_frame')
      }
      assert.equal(await balanceOf(calls.database.db, key.orgId), 30)
    })
  })

  it('has another ETag for other datasets, and for their price', async () => {
    const tagOf = async (more: string) => {
      const { headers } = await ask(`${calls.path(few)}&${more}`, { headers: bearer(calls.world.outsiderKey.secret) })
      return headers.get('etag')
    }
    const tags = await Promise.all(['price=false', 'datasets=lyr_open', 'datasets=lyr_points', 'price=true'].map(tagOf))
    assert.equal(new Set(tags).size, 4)
  })

  it('says that an own dataset costs nothing', async () => {
    const quote = await dataWith(calls.world.ownerKey, ids, 'price=true')
    assert.deepEqual([quote.charged, quote.leftOut, quote.price], [[], [], { credits: 0, datasets: [] }])
  })
})

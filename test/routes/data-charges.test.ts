import assert from 'node:assert/strict'
import { license, unlicense } from '../../src/core/access/licences.js'
import { anotherReader, balanceOf, ids } from '../support/datasets.js'
import { ask, bearer, errorOf, mint, type Minted } from '../support/service.js'
import { dataCalls, datasetsIn, type Data } from './data-calls.js'

describe('GET /v1/frames/data', () => {
  const calls = dataCalls()

  describe('charges for a dataset that is licensed per query', () => {
    it('once a request, however many frames, and not where it records nothing', async () => {
      const key = await anotherReader(calls.database.db, 100)
      assert.deepEqual((await calls.data(key, ids.slice(0, 3))).charged, ['lyr_query_a'])
      assert.equal(await balanceOf(calls.database.db, key.orgId), 98)
      assert.deepEqual((await calls.data(key, ids.slice(9))).charged, [])
      assert.deepEqual((await calls.data(key, ['7'])).charged, [])
      assert.deepEqual((await calls.data(key, ids.slice(0, 5))).charged, [
        'lyr_query_a',
        'lyr_query_b',
        'lyr_query_points',
      ])
      assert.equal(await balanceOf(calls.database.db, key.orgId), 98 - 9)
    })

    it('in the order of their ids until one is not covered; later ones that can be are still charged', async () => {
      const key = await anotherReader(calls.database.db, 6)
      const answer = await calls.data(key, ids)
      assert.deepEqual(answer.charged, ['lyr_query_a', 'lyr_query_b'])
      assert.deepEqual(answer.leftOut, [
        { layerId: 'lyr_query_points', name: 'Name of lyr_query_points', reason: 'insufficient_credits', price: 4 },
      ])
      assert.ok(!datasetsIn(answer).includes('lyr_query_points'))
      assert.ok(datasetsIn(answer).includes('lyr_open'), 'the rest is there')
      assert.equal(await balanceOf(calls.database.db, key.orgId), 1)
      const other = await anotherReader(calls.database.db, 1 + 4)
      await license(calls.database.db.run, 'lyr_query_a', other.orgId, 6)
      assert.deepEqual((await calls.data(other, ids)).charged, ['lyr_query_b'])
    })

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

  describe('datasets', () => {
    const pathWith = (asked: readonly string[], more: string) => `${calls.path(asked)}&${more}`
    const dataWith = async (key: Minted, asked: readonly string[], more: string) => {
      const answer = await ask(pathWith(asked, more), { headers: bearer(key.secret) })
      assert.equal(answer.status, 200, answer.text)
      return (answer.body as { data: Data & { price?: { credits: number; datasets: object[]; balance?: number } } })
        .data
    }
    const few = ids.slice(3, 5)

    it('that are named are read and charged, and no others', async () => {
      const key = await anotherReader(calls.database.db, 9)
      const answer = await dataWith(key, few, 'datasets=lyr_query_b,lyr_open')
      assert.deepEqual(datasetsIn(answer), ['lyr_open', 'lyr_query_b'])
      assert.deepEqual([answer.charged, answer.leftOut], [['lyr_query_b'], []])
      assert.equal(await balanceOf(calls.database.db, key.orgId), 6)
    })

    it('that the key cannot read, or that are unknown, are absent, not refused', async () => {
      const answer = await dataWith(calls.world.readerKey, few, 'datasets=lyr_private,lyr_unknown,lyr_open,lyr_open')
      assert.deepEqual(datasetsIn(answer), ['lyr_open'])
      const narrowed = await mint(calls.database.db, { org: calls.world.reader, datasets: ['lyr_open'] })
      assert.deepEqual(datasetsIn(await dataWith(narrowed, few, 'datasets=lyr_licensed,lyr_open')), ['lyr_open'])
      const none = await dataWith(calls.world.readerKey, few, 'datasets=lyr_unknown')
      assert.deepEqual([datasetsIn(none), none.charged, none.leftOut], [[], [], []])
    })

    it('that differ have another ETag', async () => {
      const tagOf = async (more: string) =>
        (await ask(pathWith(few, more), { headers: bearer(calls.world.outsiderKey.secret) })).headers.get('etag')
      const tags = await Promise.all(
        ['price=false', 'datasets=lyr_open', 'datasets=lyr_points', 'price=true'].map(tagOf),
      )
      assert.equal(new Set(tags).size, 4)
    })

    /** A price is true if the call itself then charges it. */
    const prices: [string, credits: number, asked: string[], more: string][] = [
      ['all that contribute', 100, ids, 'price=false'],
      ['some, as the credits do not cover all', 5, ids, 'price=false'],
      ['the cheaper one after one that is not covered', 2, ids.slice(3, 5), 'price=false'],
      ['nothing, without credits', 0, ids, 'price=false'],
      ['the named ones', 100, ids, 'datasets=lyr_query_b,lyr_query_points'],
      ['nothing, where none of the priced ones records something', 100, ids.slice(8), 'price=false'],
      ['nothing, for free datasets', 100, ids, 'datasets=lyr_open'],
      ['nothing, for frames that are not there', 100, ['1', '99999999999999999999', '007'], 'price=false'],
    ]
    for (const [what, credits, asked, more] of prices) {
      it(`price=true says what would be charged and left out, and charges nothing: ${what}`, async () => {
        const key = await anotherReader(calls.database.db, credits)
        const quote = await dataWith(key, asked, more === 'price=false' ? 'price=true' : `${more}&price=true`)
        assert.equal(await balanceOf(calls.database.db, key.orgId), credits)
        const real = await dataWith(key, asked, more)
        const left = await balanceOf(calls.database.db, key.orgId)
        assert.deepEqual([quote.frames, quote.charged, quote.leftOut], [[], real.charged, real.leftOut])
        assert.equal(quote.price?.credits, credits - left)
        const isPriced = quote.charged.length + quote.leftOut.length > 0
        assert.equal(quote.price?.balance, isPriced ? credits : undefined)
        const pricesOf: Record<string, number> = { lyr_query_a: 2, lyr_query_b: 3, lyr_query_points: 4 }
        assert.deepEqual(
          quote.price?.datasets,
          real.charged.map((layerId) => ({ layerId, name: `Name of ${layerId}`, price: pricesOf[layerId] })),
        )
      })
    }

    it('price=true sees what the key sees: without feature.read, no features', async () => {
      const { orgId } = await anotherReader(calls.database.db, 100)
      const key = await mint(calls.database.db, { org: orgId, preset: 'locality' })
      const quote = await dataWith(key, ids, 'price=true')
      assert.deepEqual([quote.charged, quote.price?.credits], [['lyr_query_a', 'lyr_query_b'], 5])
    })

    it('price=true of an own dataset is nothing', async () => {
      const quote = await dataWith(calls.world.ownerKey, ids, 'price=true')
      assert.deepEqual([quote.charged, quote.leftOut, quote.price], [[], [], { credits: 0, datasets: [] }])
    })
  })
})

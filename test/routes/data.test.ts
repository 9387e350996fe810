import assert from 'node:assert/strict'
import { license, unlicense } from '../../src/access/licences.js'
import { PRESETS } from '../../src/access/capabilities.js'
import { ledgerFaults } from '../../src/db/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, makeWorld, type World } from '../support/datasets.js'
import { ask, bearer, errorOf, mint, startService, type Minted, type Service } from '../support/service.js'

type Feature = { type: string; id: string; geometry: { type: string; coordinates: unknown }; properties: object }
type Entry = {
  layerId: string
  name: string
  category: string
  kind: string
  orgId: string
  values?: Record<string, string>
  features?: Feature[]
  truncated?: true
}
type Frame = { id: string; bbox?: number[]; datasets: Entry[] }
type LeftOut = { layerId: string; name: string; reason: string; price: number }
type Data = { frames: Frame[]; charged: string[]; leftOut: LeftOut[] }

describe('GET /v1/frames/data', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let world: World

  before(async () => {
    database = await newDatabase('frames')
    world = await makeWorld(database.db)
    service = await startService(database)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })

  const path = (asked: readonly string[]) => `${service.url}/v1/frames/data?ids=${asked.join()}`
  async function data(key: Minted, asked: readonly string[]): Promise<Data> {
    const answer = await ask(path(asked), { headers: bearer(key.secret) })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as { data: Data }).data
  }
  const layersOf = ({ datasets }: Frame) => datasets.map(({ layerId }) => layerId)
  const seenIn = ({ frames }: Data) => [...new Set(frames.flatMap(layersOf))].sort((a, b) => (a < b ? -1 : 1))

  it('answers with a frame for each id, in the order asked, and the datasets that record something there, by their ids', async () => {
    const asked = [ids[4], ids[0], ids[9]] as string[]
    const { frames, charged, leftOut } = await data(world.outsiderKey, asked)
    assert.deepEqual(
      frames.map(({ id }) => id),
      asked,
    )
    assert.deepEqual(frames.map(layersOf), [
      ['lyr_open', 'lyr_theirs'],
      ['lyr_open', 'lyr_points', 'lyr_some', 'lyr_theirs'],
      ['lyr_open', 'lyr_theirs'],
    ])
    assert.deepEqual([charged, leftOut], [[], []])
    assert.deepEqual(frames[1]?.bbox, [0.2, 0.1, 0.21, 0.11])
    assert.deepEqual(frames[1]?.datasets[0], {
      layerId: 'lyr_open',
      name: 'Name of lyr_open',
      category: 'Tests',
      kind: 'frames',
      orgId: world.owner,
      values: { told: `lyr_open on ${ids[0]}` },
    })
    assert.deepEqual(frames[1]?.datasets[1], {
      layerId: 'lyr_points',
      name: 'Name of lyr_points',
      category: 'Tests',
      kind: 'points',
      orgId: world.owner,
      features: [
        { type: 'Feature', id: '1', geometry: { type: 'Point', coordinates: [0.201, 0.105] }, properties: {} },
        { type: 'Feature', id: '2', geometry: { type: 'Point', coordinates: [0.20102, 0.105] }, properties: {} },
        { type: 'Feature', id: '3', geometry: { type: 'Point', coordinates: [0.21, 0.105] }, properties: {} },
      ],
    })
  })

  it('answers an id that the index does not know without bbox and datasets; ids that no index can hold too', async () => {
    const odd = ['7', '00324378020', '9223372036854775808', '123456789012345678901234567890']
    const { frames } = await data(world.outsiderKey, [...odd, ids[0] ?? ''])
    assert.deepEqual(
      frames.slice(0, 4),
      odd.map((id) => ({ id, datasets: [] })),
    )
    assert.ok((frames[4]?.datasets.length ?? 0) > 0)
  })

  it('answers a repeated id once, at its first place', async () => {
    const { frames } = await data(world.outsiderKey, [ids[2], ids[1], ids[2], ids[1]] as string[])
    assert.deepEqual(
      frames.map(({ id }) => id),
      [ids[2], ids[1]],
    )
  })

  it('refuses ids that are missing, blank, not digits, or more than 100', async () => {
    const headers = bearer(world.outsiderKey.secret)
    const hundred = Array.from({ length: 100 }, (_, i) => String(i))
    assert.equal((await ask(path(hundred), { headers })).status, 200)
    for (const [query, message] of [
      ['', /ids: missing; up to 100/],
      ['?ids=', /ids: given without a value/],
      ['?ids=%20', /ids: given without a value/],
      ['?ids=1,,2', /ids: frame ids of digits are accepted/],
      ['?ids=a', /"a" came/],
      ['?ids=1&ids=2', /ids: given 2 times/],
      [`?ids=${[...hundred, '1'].join()}`, /ids: 101 given, at most 100/],
    ] as const) {
      const answer = await ask(`${service.url}/v1/frames/data${query}`, { headers })
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid'], query)
      assert.match(errorOf(answer).message, message)
    }
  })

  it('shows features only to a key that holds feature.read, and charges no other for them', async () => {
    const key = await anotherReader(database.db, 100)
    const plain = await mint(database.db, { org: key.orgId, capabilities: [...PRESETS.analyst] })
    const seen = seenIn(await data(plain, ids))
    assert.deepEqual(seen, ['lyr_open', 'lyr_query_a', 'lyr_query_b', 'lyr_some'])
    assert.deepEqual((await data(plain, [ids[4] ?? ''])).charged, ['lyr_query_a', 'lyr_query_b'])
    assert.deepEqual((await data(key, [ids[4] ?? ''])).charged, ['lyr_query_a', 'lyr_query_b', 'lyr_query_points'])
  })

  it('shows each organisation what it owns, what is open and what it is licensed, and nothing else', async () => {
    await credit(database.db, world.reader, 9)
    const open = ['lyr_200', 'lyr_201', 'lyr_open', 'lyr_points', 'lyr_some']
    assert.deepEqual(seenIn(await data(world.outsiderKey, ids)), [...open, 'lyr_theirs'])
    assert.deepEqual(seenIn(await data(world.readerKey, ids)), [
      'lyr_200',
      'lyr_201',
      'lyr_licensed',
      'lyr_open',
      'lyr_points',
      'lyr_query_a',
      'lyr_query_b',
      'lyr_query_points',
      'lyr_some',
    ])
    assert.equal(await balanceOf(database.db, world.reader), 0)
    const own = await data(world.ownerKey, ids)
    assert.deepEqual(own.charged, [], 'its own datasets are never charged')
    assert.deepEqual(seenIn(own).includes('lyr_private'), true)
    assert.ok(!seenIn(own).includes('lyr_theirs'))
  })

  it('shows a narrowed key its named datasets alone; others are absent, not refused, not charged, not left out', async () => {
    const { orgId } = await anotherReader(database.db, 0)
    const every = ['lyr_open', 'lyr_some', 'lyr_query_a', 'lyr_query_points', 'lyr_private', 'lyr_theirs']
    for (const named of every) {
      const key = await mint(database.db, { org: orgId, datasets: [named] })
      const answer = await data(key, ids)
      const mayRead = ['lyr_open', 'lyr_some'].includes(named)
      assert.deepEqual(seenIn(answer), mayRead ? [named] : [])
      assert.deepEqual(answer.charged, [])
      assert.deepEqual(
        answer.leftOut.map(({ layerId }) => layerId),
        named.startsWith('lyr_query') ? [named] : [],
      )
    }
  })

  describe('cuts features at 200 of a dataset over the whole request', () => {
    const cut = (answer: Data, layerId: string) =>
      answer.frames.map(({ datasets }) => {
        const entry = datasets.find((each) => each.layerId === layerId)
        return entry && `${entry.features?.length}${entry.truncated ? ' cut' : ''}`
      })

    it('200 are all there', async () => {
      assert.deepEqual(cut(await data(world.outsiderKey, ids.slice(5, 6)), 'lyr_200'), ['200'])
    })
    it('201 of two frames are cut in the second', async () => {
      assert.deepEqual(cut(await data(world.outsiderKey, ids.slice(5, 7)), 'lyr_201'), ['150', '50 cut'])
      assert.deepEqual(cut(await data(world.outsiderKey, [ids[6], ids[5]] as string[]), 'lyr_201'), ['51', '149 cut'])
    })
    it('a frame of which none is left says so', async () => {
      assert.deepEqual(cut(await data(world.outsiderKey, ids.slice(5, 8)), 'lyr_201'), ['150', '50 cut', '0 cut'])
    })
    it('each dataset has 200 of its own', async () => {
      const answer = await data(world.outsiderKey, ids.slice(5, 7))
      assert.deepEqual(cut(answer, 'lyr_200'), ['200', undefined])
    })
    it('in the order of the frames asked, then of their ids, as numbers', async () => {
      const { frames } = await data(world.outsiderKey, [ids[6], ids[5]] as string[])
      const found = frames.flatMap(
        ({ datasets }) => datasets.find(({ layerId }) => layerId === 'lyr_201')?.features ?? [],
      )
      assert.deepEqual(
        found.map(({ id }) => Number(id)),
        [...Array.from({ length: 51 }, (_, i) => 151 + i), ...Array.from({ length: 149 }, (_, i) => 1 + i)],
      )
    })
  })

  describe('charges for a dataset that is licensed per query', () => {
    it('once a request, however many frames, and not where it records nothing', async () => {
      const key = await anotherReader(database.db, 100)
      assert.deepEqual((await data(key, ids.slice(0, 3))).charged, ['lyr_query_a'])
      assert.equal(await balanceOf(database.db, key.orgId), 98)
      assert.deepEqual((await data(key, ids.slice(9))).charged, [])
      assert.deepEqual((await data(key, ['7'])).charged, [])
      assert.deepEqual((await data(key, ids.slice(0, 5))).charged, ['lyr_query_a', 'lyr_query_b', 'lyr_query_points'])
      assert.equal(await balanceOf(database.db, key.orgId), 98 - 9)
    })

    it('in the order of their ids until one is not covered; later ones that can be are still charged', async () => {
      const key = await anotherReader(database.db, 6)
      const answer = await data(key, ids)
      assert.deepEqual(answer.charged, ['lyr_query_a', 'lyr_query_b'])
      assert.deepEqual(answer.leftOut, [
        { layerId: 'lyr_query_points', name: 'Name of lyr_query_points', reason: 'insufficient_credits', price: 4 },
      ])
      assert.ok(!seenIn(answer).includes('lyr_query_points'))
      assert.ok(seenIn(answer).includes('lyr_open'), 'the rest is there')
      assert.equal(await balanceOf(database.db, key.orgId), 1)
      const other = await anotherReader(database.db, 1 + 4)
      await license(database.db.run, 'lyr_query_a', other.orgId, 6)
      assert.deepEqual((await data(other, ids)).charged, ['lyr_query_b'])
    })

    it('in entries of the ledger that name the request, the key and the dataset', async () => {
      const key = await anotherReader(database.db, 20)
      const answer = await ask(path(ids), { headers: bearer(key.secret) })
      const rows = await database.db.rows<Record<string, unknown>>(
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

    it('by the licence there is at that moment', async () => {
      const key = await anotherReader(database.db, 50)
      const { run } = database.db
      await license(run, 'lyr_query_a', key.orgId, 10)
      assert.deepEqual((await data(key, ids.slice(0, 1))).charged, ['lyr_query_a'])
      assert.equal(await balanceOf(database.db, key.orgId), 40)
      await license(run, 'lyr_query_a', key.orgId, undefined)
      assert.deepEqual((await data(key, ids.slice(0, 1))).charged, [])
      await unlicense(run, 'lyr_query_a', key.orgId)
      assert.ok(!seenIn(await data(key, ids.slice(0, 1))).includes('lyr_query_a'))
      assert.equal(await balanceOf(database.db, key.orgId), 40)
    })

    it('never for a call that ends in an error, is refused, or asks by HEAD', async () => {
      const key = await anotherReader(database.db, 30)
      const headers = bearer(key.secret)
      const head = await ask(path(ids), { method: 'HEAD', headers })
      assert.deepEqual([head.status, head.headers.get('allow')], [405, 'GET'])
      assert.equal((await ask(`${path(ids)}&ids=1`, { headers })).status, 400)
      await database.db.work('alter table feature_frame rename to away')
      try {
        assert.equal((await ask(path(ids), { headers })).status, 500)
      } finally {
        await database.db.work('alter table away rename to feature_frame')
      }
      assert.equal(await balanceOf(database.db, key.orgId), 30)
    })
  })

  describe('has an ETag', () => {
    const tagOf = async (key: Minted, asked: readonly string[]) => {
      const answer = await ask(path(asked), { headers: bearer(key.secret) })
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      return answer.headers.get('etag')
    }
    it('and answers 304, when nothing was charged or left out', async () => {
      const tag = (await tagOf(world.outsiderKey, ids)) ?? ''
      assert.match(tag, /^"[\w-]{22}"$/)
      const again = { ...bearer(world.outsiderKey.secret), 'if-none-match': tag }
      assert.equal((await ask(path(ids), { headers: again })).status, 304)
      assert.notEqual(await tagOf(world.outsiderKey, ids.slice(1)), tag)
      assert.notEqual(await tagOf(world.ownerKey, ids), tag)
      const narrowed = await mint(database.db, { org: world.outsider, datasets: ['lyr_open'] })
      assert.notEqual(await tagOf(narrowed, ids), tag)
      const plain = await mint(database.db, { org: world.outsider, capabilities: ['frame.read'] })
      assert.notEqual(await tagOf(plain, ids), tag)
      await license(database.db.run, 'lyr_private', world.outsider, undefined)
      assert.equal((await ask(path(ids), { headers: again })).status, 200, 'the reach has grown')
      await unlicense(database.db.run, 'lyr_private', world.outsider)
    })
    it('and none where something was charged or left out', async () => {
      const rich = await anotherReader(database.db, 100)
      assert.equal(await tagOf(rich, ids), null)
      const poor = await anotherReader(database.db, 0)
      assert.equal(await tagOf(poor, ids), null)
      assert.match((await tagOf(poor, ids.slice(9))) ?? '', /^"/)
    })
  })

  describe('datasets', () => {
    const with_ = (asked: readonly string[], more: string) => `${path(asked)}&${more}`
    const dataWith = async (key: Minted, asked: readonly string[], more: string) => {
      const answer = await ask(with_(asked, more), { headers: bearer(key.secret) })
      assert.equal(answer.status, 200, answer.text)
      return (answer.body as { data: Data & { price?: { credits: number; datasets: object[] } } }).data
    }
    const few = ids.slice(3, 5)

    it('that are named are read and charged, and no others', async () => {
      const key = await anotherReader(database.db, 9)
      const answer = await dataWith(key, few, 'datasets=lyr_query_b,lyr_open')
      assert.deepEqual(seenIn(answer), ['lyr_open', 'lyr_query_b'])
      assert.deepEqual([answer.charged, answer.leftOut], [['lyr_query_b'], []])
      assert.equal(await balanceOf(database.db, key.orgId), 6)
    })

    it('that the key cannot read, or that are unknown, are absent, not refused', async () => {
      const answer = await dataWith(world.readerKey, few, 'datasets=lyr_private,lyr_unknown,lyr_open,lyr_open')
      assert.deepEqual(seenIn(answer), ['lyr_open'])
      const narrowed = await mint(database.db, { org: world.reader, datasets: ['lyr_open'] })
      assert.deepEqual(seenIn(await dataWith(narrowed, few, 'datasets=lyr_licensed,lyr_open')), ['lyr_open'])
      const none = await dataWith(world.readerKey, few, 'datasets=lyr_unknown')
      assert.deepEqual([seenIn(none), none.charged, none.leftOut], [[], [], []])
    })

    it('that are others have another ETag', async () => {
      const tagOf = async (more: string) =>
        (await ask(with_(few, more), { headers: bearer(world.outsiderKey.secret) })).headers.get('etag')
      const tags = await Promise.all(['x=y', 'datasets=lyr_open', 'datasets=lyr_points', 'price=true'].map(tagOf))
      assert.equal(new Set(tags).size, 4)
    })

    /** For what the price says to be true, the call itself has to charge it. */
    const prices: [string, credits: number, asked: string[], more: string][] = [
      ['all that contribute', 100, ids, 'x=y'],
      ['some, as the credits do not cover all', 5, ids, 'x=y'],
      ['the cheaper one after one that is not covered', 2, ids.slice(3, 5), 'x=y'],
      ['nothing, without credits', 0, ids, 'x=y'],
      ['the named ones', 100, ids, 'datasets=lyr_query_b,lyr_query_points'],
      ['nothing, where none of the priced ones records something', 100, ids.slice(8), 'x=y'],
      ['nothing, for free datasets', 100, ids, 'datasets=lyr_open'],
      ['nothing, for frames that are not there', 100, ['1', '99999999999999999999', '007'], 'x=y'],
    ]
    for (const [what, credits, asked, more] of prices) {
      it(`price=true says what would be charged and left out, and charges nothing: ${what}`, async () => {
        const key = await anotherReader(database.db, credits)
        const told = await dataWith(key, asked, `${more}&price=true`)
        assert.equal(await balanceOf(database.db, key.orgId), credits)
        const real = await dataWith(key, asked, more)
        const left = await balanceOf(database.db, key.orgId)
        assert.deepEqual([told.frames, told.charged, told.leftOut], [[], real.charged, real.leftOut])
        assert.equal(told.price?.credits, credits - left)
        const pricesOf: Record<string, number> = { lyr_query_a: 2, lyr_query_b: 3, lyr_query_points: 4 }
        assert.deepEqual(
          told.price?.datasets,
          real.charged.map((layerId) => ({ layerId, name: `Name of ${layerId}`, price: pricesOf[layerId] })),
        )
      })
    }

    it('price=true sees what the key sees: without feature.read, no features', async () => {
      const { orgId } = await anotherReader(database.db, 100)
      const key = await mint(database.db, { org: orgId, preset: 'locality' })
      const told = await dataWith(key, ids, 'price=true')
      assert.deepEqual([told.charged, told.price?.credits], [['lyr_query_a', 'lyr_query_b'], 5])
    })

    it('price=true of an own dataset is nothing', async () => {
      const told = await dataWith(world.ownerKey, ids, 'price=true')
      assert.deepEqual([told.charged, told.leftOut, told.price], [[], [], { credits: 0, datasets: [] }])
    })
  })
})

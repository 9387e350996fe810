import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sample, sampleOfCases } from '../support/sample.js'
import { license } from '../../src/core/access/licences.js'
import { mint, newOrganisation, service, startService } from '../support/service.js'
import { refusalOf, send } from '../calls/call-rows.js'
import { everyItem, found, ogc, query, type Items } from './ogc-calls.js'

/** A part of the fixture with hundreds of frames, and a part of a state's border. */
const BOX = '-0.2,-0.05,0.15,0.15'

/** A filter in CQL2, and as a condition of SQL by hand. */
type Case = { text: string; sql: string }
type Field = { name: string; type: 'number' | 'text'; sql: string; values: string[] }
type Tested = { collection: string; fields: Field[]; from: string; id: string; geom: string; order: string }

const number = (name: string, sql: string, values: string[]): Field => ({ name, type: 'number', sql, values })
const text = (name: string, sql: string, values: string[]): Field => ({ name, type: 'text', sql, values })
const units = [
  text('state', 'frame.state', ['MAREMBE', "N'DARA", 'marembe']),
  text('lga', 'frame.lga', ['LAKESIDE', 'MAREMBE NORTH']),
  text('ward', 'frame.ward', ['UPPER WEIR', 'LAKE ISLAND']),
]
const recorded = (name: string) => `recorded ->> '${name}'`
const ofBaseline = (layer: string, fields: Field[]): Tested => ({
  collection: layer,
  fields: [...units, ...fields],
  from: `baseline join frame using (frame_id) where layer_id = '${layer}' and`,
  id: 'frame_id::text',
  geom: 'frame.geom',
  order: 'frame_id',
})

const TESTED: Tested[] = [
  {
    collection: 'frames',
    fields: [
      ...units,
      text('zoneCode', 'frame.zone_code', ['NZ', '']),
      number('km2', 'frame.area_km2', ['1.2', '1.230905', '0']),
    ],
    from: 'frame where',
    id: 'frame_id::text',
    geom: 'frame.geom',
    order: 'frame_id',
  },
  ofBaseline('lyr_population', [
    number('pop_demest25', `plain_number(${recorded('pop_demest25')})`, ['100', '0', '99.5', '-1e3']),
    number('pop_demest26', `plain_number(${recorded('pop_demest26')})`, ['100', '250', '1e4']),
  ]),
  ofBaseline('lyr_terrain', [
    number('phy_elevmean', `plain_number(${recorded('phy_elevmean')})`, ['250', '268.5', '300.125']),
    text('phy_landcov', recorded('phy_landcov'), ['Woodland', 'Forest', 'forest']),
  ]),
  {
    collection: 'lyr_schools',
    fields: [
      text('level', `properties ->> 'level'`, ['Primary', 'Secondary', 'primary']),
      text('name', `properties ->> 'name'`, ['a', 'School']),
      number('pupils', `plain_number(properties ->> 'pupils')`, ['100', '250.5']),
    ],
    from: `feature join dataset using (version) where layer_id = 'lyr_schools' and`,
    id: 'feature_id',
    geom: 'feature.geom',
    order: 'feature_no',
  },
]

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`
const literal = ({ type }: Field, value: string) => (type === 'number' ? value : quoted(value))
const sqlLiteral = ({ type }: Field, value: string) =>
  type === 'number' ? `${value}::numeric` : `(${quoted(value)} collate "C")`

const SHAPES = [
  'POLYGON((-0.1 -0.1,0.05 -0.02,0.03 0.12,-0.1 -0.1))',
  'POINT(0.005 0.005)',
  'LINESTRING(-0.3 0,0.3 0.03)',
]

function condition({ fields, geom }: Tested): fc.Arbitrary<Case> {
  const field = fc.constantFrom(...fields)
  const ofField = (make: (field: Field, a: string, b: string) => Case) =>
    field.chain((each) => {
      const value = fc.constantFrom(...each.values)
      return fc.tuple(value, value).map(([a, b]) => make(each, a, b))
    })
  const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=').chain((op) =>
    ofField((each, a) => ({
      text: `"${each.name}" ${op} ${literal(each, a)}`,
      sql: `(${each.sql}) ${op} ${sqlLiteral(each, a)}`,
    })),
  )
  const between = ofField((each, a, b) => ({
    text: `${each.name} BETWEEN ${literal(each, a)} AND ${literal(each, b)}`,
    sql: `(${each.sql}) between ${sqlLiteral(each, a)} and ${sqlLiteral(each, b)}`,
  }))
  const within = ofField((each, a, b) => ({
    text: `${each.name} in (${literal(each, a)}, ${literal(each, b)})`,
    sql: `(${each.sql}) in (${sqlLiteral(each, a)}, ${sqlLiteral(each, b)})`,
  }))
  const absent = ofField((each) => ({
    text: `${each.name} IS NULL`,
    sql: `(${each.sql}) is null`,
  }))
  const texts = fields.filter(({ type }) => type === 'text')
  const like = fc
    .tuple(fc.constantFrom(...texts), fc.constantFrom('%A%', 'M%', '_____', 'F_rest', '\\%'))
    .map(([each, pattern]) => ({
      text: `${each.name} LIKE ${quoted(pattern)}`,
      sql: `(${each.sql}) like ${quoted(pattern)}`,
    }))
  return fc
    .oneof(comparison, between, within, absent, like)
    .map((each) => ({ ...each, sql: `(${each.sql.replaceAll('GEOM', geom)})` }))
}

const shaped = ({ geom }: Tested): fc.Arbitrary<Case> =>
  fc.constantFrom(...SHAPES).map((wkt) => ({
    text: `S_INTERSECTS(geometry, ${wkt})`,
    sql: `ST_Intersects(${geom}, ST_GeomFromText('${wkt}', 4326))`,
  }))

function tree(tested: Tested): fc.Arbitrary<Case> {
  const joined = (op: 'and' | 'or', of: Case[]): Case => ({
    text: of.map(({ text: one }) => `(${one})`).join(` ${op.toUpperCase()} `),
    sql: `(${of.map(({ sql }) => sql).join(` ${op} `)})`,
  })
  const negated = ({ text: one, sql }: Case): Case => ({
    text: `NOT (${one})`,
    sql: `(not ${sql})`,
  })
  const { node } = fc.letrec<{ node: Case }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      condition(tested),
      fc
        .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('node'), { minLength: 2, maxLength: 3 }))
        .map(([op, of]) => joined(op, of)),
      tie('node').map(negated),
    ),
  }))
  // One shape is accepted in a filter: at its top, or inside of an "or" or a "not".
  const withShape = fc
    .tuple(node, shaped(tested), fc.constantFrom('and', 'or', 'not', 'none'))
    .map(([one, shape, how]) => {
      if (how === 'none') return one
      if (how === 'not') return joined('and', [one, negated(shape)])
      return joined(how === 'or' ? 'or' : 'and', [one, shape])
    })
  return withShape
}

async function byHand({ id, from, geom, order }: Tested, sql: string): Promise<string[]> {
  const rows = await service().db.rows<{ id: string }>(
    `select ${id} as id from ${from} ST_Intersects(${geom}, ST_MakeEnvelope(${BOX}, 4326)) and (${sql}) order by ${order}`,
    [],
  )
  return rows.map((row) => row.id)
}

const idsOf = async (collection: string, parameters: Record<string, string | number>) =>
  (await everyItem(`/collections/${collection}/items?${query({ bbox: BOX, ...parameters })}`)).map(({ id }) => id)

describe('a filter of /ogc', function () {
  this.timeout(sample(120_000, 1_800_000))

  for (const tested of TESTED)
    it(`over ${tested.collection} passes what PostgreSQL passes by hand`, async () => {
      let passed = 0
      const property = fc.asyncProperty(tree(tested), fc.constantFrom(11, 5000), async (one, limit) => {
        const expected = await byHand(tested, one.sql)
        passed += expected.length
        assert.deepEqual(
          await idsOf(tested.collection, { filter: one.text, limit: Math.max(limit, Math.ceil(expected.length / 3)) }),
          expected,
          one.text,
        )
      })
      await fc.assert(property, sampleOfCases(12, 2500))
      assert.ok(passed > 0)
    })

  it('takes a shape in another system', async () => {
    const crs = 'http://www.opengis.net/def/crs/EPSG/0/3857'
    const filter = (shape: string) => `S_INTERSECTS(${shape}, geometry)`
    const metres = await idsOf('frames', { filter: filter('BBOX(1000,1000,3000,4000)'), 'filter-crs': crs })
    assert.deepEqual(metres, await idsOf('frames', { filter: filter('BBOX(0.008983,0.008983,0.026949,0.035933)') }))
    assert.ok(metres.length > 4)
  })

  it('counts the values that are no plain numbers, which pass no comparison', async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, undefined)
    const { secret } = await mint(db, { org })
    const [odd] = await db.rows<{ odd: number }>(
      `select count(*)::int as odd from baseline
      where layer_id = 'lyr_market' and plain_number(recorded ->> 'mkt_shops') is null and recorded ->> 'mkt_shops' <> ''`,
      [],
    )
    assert.ok(odd && odd.odd > 0)
    const count = async (filter: string) => {
      const items = `/collections/lyr_market/items?${query({ filter, limit: 5000 })}`
      const page = await found<Items>(items, secret)
      return [page.numberReturned, page.notNumbers]
    }
    assert.deepEqual(await count('mkt_shops < -1'), [0, odd.odd])
    assert.deepEqual(await count('mkt_shops < -1 OR NOT (mkt_shops >= -1)'), [0, odd.odd])
    assert.deepEqual(await count("mkt_note = 'nothing'"), [0, undefined])
  })

  it('looks at the rows of a state alone, where it names one', async () => {
    const all = await everyItem(
      `/collections/frames/items?${query({ filter: "state = 'MAREMBE' and km2 > 0", limit: 5000 })}`,
    )
    const expected = await service().db.rows<{ id: string }>(
      `select frame_id::text as id from frame where state = 'MAREMBE' order by frame_id`,
      [],
    )
    assert.deepEqual(
      all.map(({ id }) => id),
      expected.map(({ id }) => id),
    )
    assert.deepEqual(await idsOf('frames', { filter: "state = 'ATLANTIS'" }), [])
  })
})

describe('a filter of /ogc that has little time', () => {
  let running: Awaited<ReturnType<typeof startService>>
  // Less than a page keeps for its way: each page ends after the first items that it looks at.
  before(async () => (running = await startService(service().database, { callMs: 2499 })))
  after(() => running.stop())
  const path = (filter: string) => `${running.url}/ogc/collections/frames/items?${query({ filter, limit: 1500 })}`

  it('gives what it found, and a next page that goes on from there', async () => {
    const expected = await everyItem(`/collections/frames/items?${query({ filter: 'km2 > 1.23', limit: 5000 })}`)
    assert.deepEqual(await everyItem(path('km2 > 1.23'), running.secret), expected)
  })

  it('is refused where it found nothing, with what to add', async () => {
    const answer = await ogc(path('km2 > 1000'), running.secret)
    assert.equal(answer.status, 400)
    assert.match((answer.body as { description: string }).description, /add a smaller bbox/)
  })
})

/** Words of filters, and of other languages, of people who try what a filter can do. */
const WORDS =
  `km2 state > = and not ( ) 'x' 1 in like is null , POLYGON " ' { [ ] } : é % BETWEEN POINT(0 91) BBOX(2,0,1,1) geom`.split(
    ' ',
  )
const HOSTILE =
  `; -- $1 $.t0 @ {{7*7}} \${jndi:ldap://x} union ::text returning \\ __proto__ constructor frame_id ＫＭ２ ſtate \u202ekm2 NaN
  1e999 0x10 1_000 CASEI(state) pg_sleep(9) ^ 'POLYGON DATE('2020-13-01') '\0' '1'='1 /**/ || #`.split(/[ \n]+/)

describe('any text', function () {
  this.timeout(60_000)

  // test/calls/wrong.jsonl has the sentences of filters that are refused.
  it('is a filter of /ogc, or is refused: it never fails the service', async () => {
    const filters = fc.oneof(
      fc.array(fc.constantFrom(...WORDS, ...HOSTILE), { maxLength: 12 }).map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme' }),
      fc.json(),
    )
    const property = fc.asyncProperty(filters, async (filter) => {
      const { outcome, message } = refusalOf(await send(`FILTER ${filter}`, service()))
      assert.ok(
        outcome === '200' || (/^400 invalid(_bbox)?$/.test(outcome) && message.length < 400),
        `${outcome} ${filter}`,
      )
    })
    await fc.assert(property, sampleOfCases(300, 5000))
  })

  it('that is of no filter makes one that is refused, before and behind what is right', async () => {
    for (const word of HOSTILE)
      for (const filter of [`km2 > 1 ${word}`, `${word} km2 > 1`, `state = 'MAREMBE' and ${word}`])
        assert.equal(refusalOf(await send(`FILTER ${filter}`, service())).outcome, '400 invalid', filter)
  })
})

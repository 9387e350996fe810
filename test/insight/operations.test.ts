import assert from 'node:assert/strict'
import { listDatasets } from '../../src/access/licences.js'
import type { DatasetRow } from '../../src/db/statements.js'
import type { Facet } from '../../src/insight/facets.js'
import { computeAsk } from '../../src/insight/operations/ask.js'
import { computeFigure } from '../../src/insight/operations/compute.js'
import { readsOf } from '../../src/insight/operations/reads.js'
import { figureOfSource } from '../../src/insight/operations/source.js'
import type { Ask, Condition, Operation, Subject, Test } from '../../src/insight/reading/reading.js'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'
import { numbersOf } from './recomputed.js'

const FIGURES = sample(250, 5000)

const attribute = (layerId: string, name: string): Subject => ({ kind: 'attribute', layerId, attribute: name })
const features = (layerId: string): Subject => ({ kind: 'features', layerId })
const property = (layerId: string, name: string): Subject => ({ kind: 'property', layerId, property: name })
const people = attribute('lyr_population', 'pop_demest26')
const shops = attribute('lyr_market', 'mkt_shops')
const households = attribute('lyr_market', 'mkt_households')
const elevation = attribute('lyr_terrain', 'phy_elevmean')
const urban = attribute('lyr_culture', 'cul_rururb')
const [lga, ward]: Subject[] = [
  { kind: 'index', figure: 'lga' },
  { kind: 'index', figure: 'ward' },
]
assert.ok(lga && ward)
const [schools, clinics, roads, reserves] = ['lyr_schools', 'lyr_clinics', 'lyr_roads', 'lyr_reserves'].map(features)
assert.ok(schools && clinics && roads && reserves)
const numbered = [people, shops, households, attribute('lyr_buildings', 'bld_ct'), schools, clinics, roads]

const conditions: Condition[] = [
  ...[schools, clinics, roads, shops, people].flatMap((subject): Condition[] => [
    { subject, test: { test: 'none' } },
    { subject, test: { test: 'any' } },
  ]),
  { subject: people, test: { test: 'bounds', above: '40' } },
  { subject: elevation, test: { test: 'bounds', atLeast: '100', below: '400.5' } },
  { subject: schools, test: { test: 'bounds', atMost: '1' } },
  { subject: urban, test: { test: 'class', value: 'Rural' } },
  { subject: urban, test: { test: 'not_class', value: 'Rural' } },
  { subject: attribute('lyr_terrain', 'phy_tpsiltxtcls'), test: { test: 'none' } },
]
const operations: [subject: Subject, operation: Operation][] = [
  ...numbered.flatMap((subject): [Subject, Operation][] => [
    [subject, { op: 'frames' }],
    [subject, { op: 'median' }],
    [subject, { op: 'range' }],
    [subject, { op: 'rank', order: 'highest', n: 3 }],
    [subject, { op: 'rank', order: 'lowest', n: 2 }],
    [subject, { op: 'rank', order: 'lowest' }],
    [subject, { op: 'part', n: 2 }],
    [subject, { op: 'per_km2' }],
    [subject, { op: 'per', other: schools }],
    [subject, { op: 'per', other: households }],
  ]),
  [elevation, { op: 'median' }],
  [elevation, { op: 'rank', order: 'highest' }],
  [people, { op: 'change', other: attribute('lyr_population', 'pop_demest25') }],
  [attribute('lyr_population', 'pop_demest25'), { op: 'change', other: people }],
  ...[...numbered, elevation, attribute('lyr_market', 'mkt_access')].flatMap((subject): [Subject, Operation][] => [
    [subject, { op: 'by', by: lga, order: 'highest', n: 1 }],
    [subject, { op: 'by', by: ward, order: 'lowest', n: 2 }],
    [subject, { op: 'by', by: attribute('lyr_urban', 'urb_class') }],
    [subject, { op: 'by', by: lga, having: { test: 'bounds', above: '2' } }],
  ]),
  [people, { op: 'by', by: ward, measure: 'per_km2', order: 'highest' }],
  [shops, { op: 'by', by: ward, measure: 'mean', order: 'lowest', n: 1 }],
  [elevation, { op: 'by', by: lga, measure: 'max' }],
  [
    { kind: 'index', figure: 'area' },
    { op: 'by', by: ward, order: 'highest', n: 3 },
  ],
  [
    { kind: 'index', figure: 'frames' },
    { op: 'by', by: lga },
  ],
  [property('lyr_schools', 'pupils'), { op: 'by', by: lga }],
  [urban, { op: 'by', by: lga }],
  [roads, { op: 'extent' }],
  [reserves, { op: 'extent' }],
  [property('lyr_schools', 'pupils'), { op: 'sum' }],
  [property('lyr_schools', 'pupils'), { op: 'rank', order: 'highest', n: 1 }],
  [property('lyr_clinics', 'beds'), { op: 'median' }],
  [property('lyr_schools', 'level'), { op: 'class', value: 'Secondary' }],
]

/** Every run recomputes each of these. */
const STATISTICS = ['by', 'passing', 'median', 'range', 'rank', 'part', 'per_km2', 'per', 'change', 'extent']

describe('what an ask asks for', function () {
  this.timeout(600_000)
  let datasets: DatasetRow[]
  let near: string[]
  let wards: string[]

  before(async () => {
    const { db } = service()
    datasets = (await listDatasets(db.run)).map(({ vintage = null, kind, ...entry }) => ({
      ...entry,
      vintage,
      kind: kind as DatasetRow['kind'],
      version: '',
      price: null,
    }))
    const found = await db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id', [])
    near = found.map(({ id }) => id)
    const named = await db.rows<{ ward: string }>(
      `select ward from frame where ward ~ '\\d' group by ward order by length(ward) desc`,
      [],
    )
    wards = named.map(({ ward: name }) => name)
  })

  const rows = <Row>(text: string) => service().db.rows<Row>(text, [])
  const answerOf = (frameIds: readonly string[], ask: Ask) => computeAsk(service().db, frameIds, ask, datasets)
  const only = (subject: Subject, operation: Operation, ...where: Condition[]): Ask => ({ subject, operation, where })
  const texts = (facets: readonly Facet[]) => facets.map(({ label, value }) => `${label}: ${value}`)

  it(`equals ${FIGURES} figures that other SQL computes from the sources alone`, async function () {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    const random = seeded(seed)
    console.log(`      seed ${seed}`)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
    const framesOfAsk = () => {
      const start = Math.floor(random() * (near.length - 3000))
      const count = 1 + Math.floor(random() * 49)
      const spread = random() < 0.5 ? 1 : 50
      return Array.from({ length: count }, (_, i) => near[start + i * spread] as string)
    }
    const kinds = [...new Set(operations.map(([, { op }]) => op))].map((op) =>
      operations.filter(([, operation]) => operation.op === op),
    )
    const statistics = new Map<string, number>()
    const isComplete = () => STATISTICS.every((each) => statistics.has(each))
    for (let done = 0; done < FIGURES || !isComplete();) {
      const frameIds = framesOfAsk()
      const [subject, operation] = pick(pick(kinds))
      const where = operation.op === 'frames' || random() < 0.3 ? [pick(conditions)] : []
      if (where.length > 0 && random() < 0.3) where.push(pick(conditions))
      const { facets } = await answerOf(frameIds, { subject, operation, where })
      for (const { label, value, source } of facets) {
        const numbers = await numbersOf(rows, frameIds, source)
        if (!numbers) continue
        // The names of wards may hold numbers.
        const said = source.by ? wards.reduce((text, name) => text.replaceAll(name, ''), value) : value
        const given = [...said.replaceAll(',', '').matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => number)
        const what = `${label}: ${value} ${JSON.stringify({ source, frameIds })}`
        const isNamed = source.statistic === 'share' || source.statistic === 'mean' || source.statistic === 'sum'
        assert.deepEqual(isNamed ? given.slice(0, numbers.length) : given, numbers, what)
        const statistic = source.by ? 'by' : source.statistic
        statistics.set(statistic, (statistics.get(statistic) ?? 0) + 1)
        done += 1
      }
    }
  })

  it('computes each figure again from its source alone', async () => {
    const frameIds = near.slice(4000, 4030)
    for (const [subject, operation] of operations) {
      const { facets } = await answerOf(frameIds, only(subject, operation, conditions[10] as Condition))
      for (const facet of facets) {
        const figure = figureOfSource(JSON.parse(JSON.stringify(facet.source)) as Facet['source'])
        assert.ok(figure)
        assert.deepEqual(await computeFigure(readsOf(service().db, datasets), frameIds, figure), facet)
      }
    }
  })

  const ids = ['322074005', '322074006', '324341985', '324377986', '324774030', '324378020']
  const test = (subject: Subject, of: Test): Condition => ({ subject, test: of })
  const cases: [what: string, ask: Ask, first: RegExp][] = [
    [
      'frames that have none',
      only(clinics, { op: 'frames' }, test(clinics, { test: 'none' })),
      /^Clinics, frames that have none: \d of 6 frames/,
    ],
    [
      'frames within bounds',
      only(people, { op: 'frames' }, test(people, { test: 'bounds', above: '5000' })),
      /^Population, 2026 estimate, frames above 5,000 people: 2 of 6 frames: 322074005, 322074006$/,
    ],
    [
      'frames that record no number as neither',
      only(shops, { op: 'frames' }, test(shops, { test: 'none' })),
      /^Shops, frames that have none: \d of 6 frames: [\d, ]+; 2 record nothing$/,
    ],
    [
      'two conditions',
      only(schools, { op: 'frames' }, test(roads, { test: 'any' }), test(clinics, { test: 'none' })),
      /^Frames with Main roads and without Clinics: \d of 6 frames/,
    ],
    [
      'a figure over some of the frames',
      only(people, { op: 'usual' }, test(urban, { test: 'class', value: 'Urban' })),
      /^Population, 2026 estimate, total, on frames where Rural or urban is Urban: 20,269 people$/,
    ],
    [
      'a class that no frame has',
      only(attribute('lyr_terrain', 'phy_landcov'), { op: 'class', value: 'Mangrove' }),
      /^Land cover, Mangrove: 0 of \d frames, 0 %$/,
    ],
    [
      'a change',
      only(people, { op: 'change', other: attribute('lyr_population', 'pop_demest25') }),
      /^Population, change from 2025 estimate to 2026 estimate: an increase of [\d,]+ people, [\d.]+ % \(from/,
    ],
  ]
  for (const [what, ask, first] of cases) {
    it(`gives ${what} first`, async () => {
      const { facets, isAnswered } = await answerOf(ids, ask)
      assert.match(texts(facets)[0] ?? '', first, texts(facets).join('\n'))
      assert.ok(isAnswered)
    })
  }

  for (const [what, ask] of [
    ['the ratio of an average', only(elevation, { op: 'per', other: schools })],
    ['the density of an average', only(elevation, { op: 'per_km2' })],
    ['the median of a category', only(urban, { op: 'median' })],
    ['the length of points', only(schools, { op: 'extent' })],
    ['the total of an average', only(elevation, { op: 'part', n: 1 })],
  ] as const) {
    it(`does not answer ${what}`, async () => assert.equal((await answerOf(ids, ask)).isAnswered, false))
  }

  it('divides by no zero', async () => {
    const { facets, isAnswered } = await answerOf(ids.slice(0, 1), only(people, { op: 'per', other: clinics }))
    assert.equal(texts(facets)[0], 'Population, 2026 estimate, per clinic: not defined (10,782 people, 0 clinics)')
    assert.ok(isAnswered)
  })

  it('counts the frames that share an extreme', async () => {
    const { facets } = await answerOf(near.slice(0, 40), only(clinics, { op: 'min' }))
    assert.match(texts(facets)[0] ?? '', /^Clinics, lowest: 0 in frame \d+ and \d+ others$/)
  })

  it('says that no frame records a subject', async () => {
    const away = await rows<{ id: string }>(
      `select frame_id::text as id from frame where state_code not in ('MR', 'CE') order by frame_id limit 5`,
    )
    const frameIds = away.map(({ id }) => id)
    const { facets, isAnswered } = await answerOf(frameIds, only(shops, { op: 'usual' }))
    assert.deepEqual(texts(facets), ['Shops, recorded on: 0 of 5 frames'])
    assert.ok(isAnswered)
  })
})

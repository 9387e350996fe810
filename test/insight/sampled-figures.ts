/** Draws figures of ids, units and boxes at random, and recomputes each from its source and the ids of its frames. */
import { escaped } from './second-reader-patterns.js'
import { listDatasets } from '../../src/core/access/licences.js'
import type { DatasetRow } from '../../src/core/db/rows.js'
import type { Database } from '../../src/core/db/connect.js'
import type { Facet } from '../../src/core/figures/facets.js'
import { type FrameSet, setOfIds, setOfPlace } from '../../src/core/figures/frame-set.js'
import type { Place } from '../../src/core/place.js'
import { readsOf } from '../../src/core/figures/reads.js'
import { answerAsk, type AskAnswer } from '../../src/core/insight/ask.js'
import type { Ask, Condition, Operation } from '../../src/core/insight/reading/reading.js'
import type { Subject } from '../../src/core/figures/subject.js'
import { numbersOf } from './recomputed.js'
import type { Figure, Filter, Measure } from '../../src/core/figures/algebra.js'

export const attribute = (layerId: string, name: string): Subject => ({ kind: 'attribute', layerId, attribute: name })
const features = (layerId: string): Subject => ({ kind: 'features', layerId })
const property = (layerId: string, name: string): Subject => ({ kind: 'property', layerId, property: name })
export const people = attribute('lyr_population', 'pop_demest26')
const shops = attribute('lyr_market', 'mkt_shops')
const households = attribute('lyr_market', 'mkt_households')
export const elevation = attribute('lyr_terrain', 'phy_elevmean')
export const urban = attribute('lyr_culture', 'cul_rururb')
const lga = { level: 'lga' } as const
const ward = { level: 'ward' } as const
const bySettlement = { class: { of: 'lyr_urban', name: 'urb_class' } }
export const schools = features('lyr_schools')
export const clinics = features('lyr_clinics')
const roads = features('lyr_roads')
const reserves = features('lyr_reserves')
const numbered = [people, shops, households, attribute('lyr_buildings', 'bld_ct'), schools, clinics, roads]

export const conditions: Condition[] = [
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
const HOW: Readonly<Record<string, Measure['how']>> = { phy_elevmean: 'weighted_mean', mkt_access: 'weighted_mean' }
function measureOf(subject: Subject): Measure {
  switch (subject.kind) {
    case 'index':
      return subject.figure === 'area'
        ? { place: [], subject: { of: 'frames', name: 'geom' }, how: 'sum' }
        : { place: [], how: 'count' }
    case 'attribute':
      return {
        place: [],
        subject: { of: subject.layerId, name: subject.attribute },
        how: HOW[subject.attribute] ?? 'sum',
      }
    case 'features':
      return { place: [], things: subject.layerId, how: 'count' }
    case 'property':
      return { place: [], things: subject.layerId, subject: { name: subject.property }, how: 'sum' }
  }
}
const LAND_OF_PEOPLE: Measure = {
  place: [],
  where: { of: 'lyr_population', name: 'pop_demest26', recorded: true },
  subject: { of: 'frames', name: 'geom' },
  how: 'sum',
}
/** A figure of each unit or class. */
const grouped = (
  subject: Subject,
  figure: Omit<Figure, 'of'>,
  more: { isInterval?: true } = {},
): [Subject, Operation] => [
  subject,
  { op: 'figure', figure: { of: measureOf(subject), ...figure }, subjects: [], words: '', ...more },
]
export const RURAL = { of: 'lyr_culture', name: 'cul_rururb', is: ['Rural'] }
/** The share that the frames which pass have. */
export function shareIn(filter: Filter, subject: Subject, figure: Omit<Figure, 'of'>): [Subject, Operation] {
  const all = measureOf(subject)
  const of = { ...all, [all.things ? 'among' : 'where']: filter }
  return [subject, { op: 'figure', figure: { of, op: 'percent', to: all, ...figure }, subjects: [], words: '' }]
}
export const operations: [subject: Subject, operation: Operation][] = [
  ...numbered.flatMap((subject): [Subject, Operation][] => [
    [subject, { op: 'frames' }],
    [subject, { op: 'median' }],
    [subject, { op: 'range' }],
    [subject, { op: 'rank', order: 'highest', n: 3 }],
    [subject, { op: 'rank', order: 'lowest', n: 2 }],
    [subject, { op: 'rank', order: 'lowest' }],
    [subject, { op: 'portion' }],
    [subject, { op: 'mean' }],
    shareIn(RURAL, subject, { by: lga }),
    grouped(subject, { op: 'percent', to: measureOf(subject), toBy: null, by: lga }),
    // Rounding to one place takes no share across this bound.
    shareIn(RURAL, subject, { by: ward, having: { above: '33.35' } }),
    grouped(subject, { by: lga }, { isInterval: true }),
    shareIn(RURAL, subject, { by: ward, order: 'lowest', n: 2 }),
    [subject, { op: 'per_km2' }],
    [subject, { op: 'per', other: schools }],
    [subject, { op: 'per', other: households }],
  ]),
  [schools, { op: 'per', other: people, times: '10000' }],
  [people, { op: 'usual' }],
  [elevation, { op: 'median' }],
  [elevation, { op: 'rank', order: 'highest' }],
  [people, { op: 'change', other: attribute('lyr_population', 'pop_demest25') }],
  [attribute('lyr_population', 'pop_demest25'), { op: 'change', other: people }],
  ...[...numbered, elevation, attribute('lyr_market', 'mkt_access')].flatMap((subject): [Subject, Operation][] => [
    grouped(subject, { by: lga, order: 'highest', n: 1 }),
    grouped(subject, { by: ward, order: 'lowest', n: 2 }),
    grouped(subject, { by: bySettlement }),
    grouped(subject, { by: lga, having: { above: '2' } }),
  ]),
  grouped(people, { op: 'ratio', to: LAND_OF_PEOPLE, by: ward, order: 'highest' }),
  grouped(people, { op: 'ratio', to: measureOf(schools), by: ward }),
  grouped(property('lyr_clinics', 'beds'), {
    op: 'ratio',
    to: measureOf(people),
    times: '1000',
    by: lga,
    order: 'highest',
    n: 2,
  }),
  grouped({ kind: 'index', figure: 'area' }, { by: ward, order: 'highest', n: 3 }),
  grouped({ kind: 'index', figure: 'frames' }, { by: lga }),
  grouped(property('lyr_schools', 'pupils'), { by: lga }),
  [roads, { op: 'extent' }],
  [reserves, { op: 'extent' }],
  [property('lyr_schools', 'pupils'), { op: 'sum' }],
  [property('lyr_schools', 'pupils'), { op: 'rank', order: 'highest', n: 1 }],
  [property('lyr_clinics', 'beds'), { op: 'median' }],
  [property('lyr_schools', 'level'), { op: 'class', value: 'Secondary' }],
]

/** Every run recomputes each of these. */
export const STATISTICS = [
  'by',
  'passing',
  'median',
  'range',
  'rank',
  'portion',
  'per_km2',
  'per',
  'change',
  'extent',
  'interval',
]

export async function datasetsOf(db: Database): Promise<DatasetRow[]> {
  const datasets = await listDatasets(db.run)
  return datasets.map(({ vintage = null, distanceTo = null, kind, ...entry }) => ({
    ...entry,
    vintage,
    distanceTo,
    kind,
    version: '',
    price: null,
  }))
}

export const computeAsk = (
  db: Database,
  frames: readonly string[] | FrameSet,
  ask: Ask,
  datasets: readonly DatasetRow[],
): Promise<AskAnswer> =>
  answerAsk(readsOf(db, datasets), 'place' in frames || 'count' in frames ? frames : setOfIds(frames), ask)

/** `given` are the numbers of the facet's value, `computed` those of other SQL. */
export type SampledFigure = { statistic: string; what: string; given: string[]; computed: string[] }

/** Draws facets without an end. Each kind of operation comes as often as the others. `ids` are the frames of the set. */
export async function* sampledFacets(
  db: Database,
  random: () => number,
  datasets: readonly DatasetRow[],
): AsyncGenerator<{ facet: Facet; set: FrameSet; ids: string[] }> {
  const frames = await db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id', [])
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const framesOfAsk = () => {
    const start = Math.floor(random() * (frames.length - 3000))
    const count = 1 + Math.floor(random() * 49)
    const spread = random() < 0.5 ? 1 : 50
    return Array.from({ length: count }, (_, i) => frames[start + i * spread]?.id ?? '')
  }
  const units = await db.rows<{ path: string[] }>(
    `select array_remove(array[state, lga, ward], null) as path from unit where level in ('state', 'lga', 'ward') order by unit_id`,
    [],
  )
  const setOfAsk = async (): Promise<{ set: FrameSet; ids: string[] }> => {
    if (random() < 0.5) {
      const ids = framesOfAsk()
      return { set: setOfIds(ids), ids }
    }
    const [west, south] = [-0.7 + random(), -0.7 + random()]
    const place: Place =
      random() < 0.5
        ? { unit: pick(units).path }
        : { box: [west, south, west + 0.02 + random() / 5, south + 0.02 + random() / 5] }
    const found = await db.rows<{ id: string }>('select unnest(frame_set($1::text[]))::text as id', [
      setOfPlace(place, 0).frames,
    ])
    return { set: setOfPlace(place, found.length), ids: found.map(({ id }) => id) }
  }
  const kinds = [...new Set(operations.map(([, { op }]) => op))].map((op) =>
    operations.filter(([, operation]) => operation.op === op),
  )
  for (;;) {
    const { set, ids: frameIds } = await setOfAsk()
    if (frameIds.length === 0) continue
    const [subject, operation] = pick(pick(kinds))
    const where = operation.op === 'frames' || random() < 0.3 ? [pick(conditions)] : []
    if (where.length > 0 && random() < 0.3) where.push(pick(conditions))
    const { facets } = await computeAsk(db, set, { subject, operation, where }, datasets)
    for (const facet of facets) yield { facet, set, ids: frameIds }
  }
}

/** Takes a name out of a text, in whichever case it stands there. */
const without = (text: string, name: string): string => text.replaceAll(new RegExp(escaped(name), 'gi'), '')

export async function* sampledFigures(db: Database, random: () => number): AsyncGenerator<SampledFigure> {
  const named = await db.rows<{ ward: string }>(
    `select ward from frame where ward ~ '\\d' group by ward order by length(ward) desc`,
    [],
  )
  for await (const { facet, set, ids } of sampledFacets(db, random, await datasetsOf(db))) {
    const { label, value, source } = facet
    const computed = await numbersOf((text) => db.rows(text, []), ids, source)
    if (!computed) continue
    // The names of wards may hold numbers.
    // A ward is named as people write it, and kept in capitals.
    const isOfGroups = source.figure !== undefined
    const said = isOfGroups ? named.reduce((text, { ward: name }) => without(text, name), value) : value
    // "Beds per 1,000 people" names the same number behind each group.
    const plain = isOfGroups
      ? said.replaceAll(',', '').replaceAll(`per ${source.figure?.times} `, 'per ')
      : said.replaceAll(',', '')
    const numbers = [...plain.matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => number)
    // A share names features, and a property says how many features record it.
    const isNamed = !isOfGroups && ['share', 'mean', 'sum'].includes(source.statistic)
    yield {
      statistic: isOfGroups ? 'by' : source.statistic,
      what: `${label}: ${value} ${JSON.stringify({ source, place: set.place ?? ids })}`,
      given: isNamed ? numbers.slice(0, computed.length) : numbers,
      computed,
    }
  }
}

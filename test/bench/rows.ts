/** Lists the calls under load, each beside the statements that it runs. */
import * as statements from '../../src/core/db/statements.js'
import { byPgbench, byService, contest, wholeCost, type Contender, type Machinery, type Measured } from './contest.js'
import { withTag, type Ask } from './load.js'
import type { Query, Script } from './pgbench.js'
import type { BoxAsked, Corner, Keys, Pages } from './questions.js'
import { atLeast, atMost, told, type Row } from './report.js'
import type { Service } from './servers.js'

export type Asked = {
  keys: Keys
  analysts: Keys
  readers: Keys
  squares: readonly Corner[]
  points: readonly Corner[]
  boxes: { boxes: BoxAsked[]; frames: number }
  pages: Pages
  ids: string[][]
  fifties: string[][]
  baselines: string[]
  features: string[]
}
type Bench = { machinery: Machinery; service: Service; against: Service | undefined; asked: Asked }
export type RowOf = { key: string; measure: (bench: Bench) => Promise<Row> }

const LIMIT = '5000'
const query = ({ text }: { text: string }, ...args: Query['args']): Query => ({ text, args })
const set = (values: readonly string[]) => `{${values.join(',')}}`

const withKeys = (keys: Keys, paths: readonly string[], headers: Record<string, string> = {}): Ask[] => {
  const most = Math.max(paths.length, Math.min(keys.secrets.length, 500))
  return Array.from({ length: most }, (_, i) => ({
    path: paths[i % paths.length] ?? '/',
    secret: keys.secrets[i % keys.secrets.length] ?? '',
    headers,
  }))
}

type Wanted = {
  key: string
  title: string
  connections: number
  asks: readonly Ask[]
  scripts: readonly Script[]
  /** The least rate, of that of pgbench. */
  ratio?: number
  /** The most processor time of a call, of that which pgbench and PostgreSQL take for its statements. */
  cost?: number
  p99?: number
}

const COST = 'processor time, of that of pgbench and its statements'

/** Compares a call with pgbench and, with --against, with the service of another checkout. */
async function beside(bench: Bench, wanted: Wanted, others: readonly Contender[] = []) {
  const { machinery, service, against } = bench
  const { key, title, asks, connections, scripts, ratio, cost, p99 } = wanted
  const bare = await byPgbench(machinery, scripts)
  const other = against && byService(machinery, 'the other checkout', against, asks, connections)
  const contenders = [
    bare,
    byService(machinery, title, service, asks, connections),
    ...others,
    ...(other ? [other] : []),
  ]
  const [ofBare, ours, ...rest] = await contest(machinery, contenders)
  if (!ofBare || !ours) throw new Error('The contest has no result.')
  const ofRate = `of ${Math.round(ofBare.rate).toLocaleString('en')} by ${bare.name}`
  const ofWhole = wholeCost(ours) / wholeCost(ofBare)
  const ofOther = other && rest.at(-1)
  const row: Row = {
    key,
    title,
    measured: ours,
    findings: [
      ratio === undefined ? told(ofRate, ours.rate / ofBare.rate) : atLeast(ofRate, ours.rate / ofBare.rate, ratio),
      cost === undefined ? told(COST, ofWhole) : atMost(COST, ofWhole, cost, ''),
      ...(p99 === undefined ? [] : [atMost('p99', ours.p99, p99, ' ms')]),
      ...(ofOther
        ? [
            told(`of ${Math.round(ofOther.rate)} by the other checkout`, ours.rate / ofOther.rate),
            told('service CPU, of the other checkout', ours.cost.service / ofOther.cost.service),
            told('processor time of all, of the other checkout', wholeCost(ours) / wholeCost(ofOther)),
          ]
        : []),
    ],
  }
  return { row, ours, rest }
}

const boxPath = ({ minLon, minLat, maxLon, maxLat }: BoxAsked) =>
  `/v1/frames?bbox=${minLon},${minLat},${maxLon},${maxLat}`
const boxScripts = (boxes: readonly BoxAsked[]): Script[] =>
  boxes.map(({ minLon, minLat, maxLon, maxLat }) => ({
    queries: [query(statements.framesInBox, String(minLon), String(minLat), String(maxLon), String(maxLat), LIMIT)],
  }))

export const atAsks = (keys: Keys, points: readonly Corner[]): Ask[] =>
  points.map(({ lon, lat }, i) => ({
    path: `/v1/frames/at?lat=${lat}&lon=${lon}`,
    secret: keys.secrets[i % keys.secrets.length] ?? '',
  }))

/** Draws points at random in the same squares. */
const atScripts = (squares: readonly Corner[]): Script[] =>
  squares.map(({ lon, lat }) => ({
    sets: [`lon ${lon} + random(0, 999999) / 10000000.0`, `lat ${lat} + random(0, 999999) / 10000000.0`],
    queries: [query(statements.framesAt, { expression: 'array[:lon]' }, { expression: 'array[:lat]' })],
  }))

const at: RowOf = {
  key: 'at',
  measure: async (bench) => {
    const { keys, points, squares } = bench.asked
    const title = `/at, ${keys.secrets.length} keys, 32 connections`
    const [asks, scripts] = [atAsks(keys, points), atScripts(squares)]
    return (await beside(bench, { key: 'at', title, connections: 32, asks, scripts, cost: 1.85, p99: 12 })).row
  },
}

export const boxAsks = (keys: Keys, boxes: readonly BoxAsked[], headers: Record<string, string> = {}) =>
  withKeys(keys, boxes.map(boxPath), headers)

const box: RowOf = {
  key: 'box',
  measure: async (bench) => {
    const { machinery, service, against } = bench
    const { keys, boxes } = bench.asked
    const asks = boxAsks(keys, boxes.boxes)
    const zipped = boxAsks(keys, boxes.boxes, { 'Accept-Encoding': 'gzip' })
    const gzip = [service, ...(against ? [against] : [])].map((each) => byService(machinery, 'gzip', each, zipped, 8))
    const title = `box of ${boxes.frames} frames`
    const wanted = { key: 'box', title, connections: 8, asks, scripts: boxScripts(boxes.boxes), ratio: 0.87 }
    const { row, ours, rest } = await beside(bench, wanted, gzip)
    const [ofGzip, ofOther] = rest
    if (ofGzip) {
      row.findings.push(atLeast('gzip asked, of the plain rate', ofGzip.rate / ours.rate, 0.4))
      row.findings.push(told('bytes with gzip, of the plain', ofGzip.bytes / ours.bytes))
    }
    if (ofGzip && ofOther && against) {
      row.findings.push(told('gzip, of the other checkout', ofGzip.rate / ofOther.rate))
      row.findings.push(told('bytes with gzip, of the other checkout', ofGzip.bytes / ofOther.bytes))
    }
    return row
  },
}

const pages: RowOf = {
  key: 'page',
  measure: async (bench) => {
    const { keys, pages: of } = bench.asked
    const path = `/v1/frames?state=${encodeURIComponent(of.state)}`
    const first = byService(bench.machinery, 'first', bench.service, withKeys(keys, [path]), 8)
    const { row, ours, rest } = await beside(
      bench,
      {
        key: 'page',
        title: `last page of ${of.frames} frames`,
        connections: 8,
        asks: withKeys(keys, [`${path}&after=${of.last}`]),
        scripts: [{ queries: [query(statements.framesInState, of.state, of.last, LIMIT)] }],
        ratio: 0.82,
      },
      [first],
    )
    const [ofFirst] = rest
    if (ofFirst) row.findings.push(atMost('time of the first page', ofFirst.rate / ours.rate, 1.1, ''))
    return row
  },
}

const bytesASecond = ({ rate, bytes }: Measured) => rate * bytes

/** The same frames through both doors. /ogc has their units and areas too, so its answers are larger. */
const ogc: RowOf = {
  key: 'ogc',
  measure: async ({ machinery, service, asked: { keys, boxes, pages: of } }) => {
    const items = (more: Record<string, string>) =>
      `/ogc/collections/frames/items?${new URLSearchParams({ ...more, limit: '5000' }).toString()}`
    const boxed = boxes.boxes.map(({ minLon, minLat, maxLon, maxLat }) =>
      items({ bbox: [minLon, minLat, maxLon, maxLat].join(',') }),
    )
    const unit = items({ filter: `state = '${of.state.toUpperCase().replaceAll("'", "''")}'` })
    const page = `/v1/frames?state=${encodeURIComponent(of.state)}`
    const by = (name: string, asks: readonly Ask[]) => byService(machinery, name, service, asks, 8)
    const [plain, ofBox, first, ofFirst] = await contest(machinery, [
      by('box', boxAsks(keys, boxes.boxes)),
      by('box of /ogc', withKeys(keys, boxed)),
      by('page', withKeys(keys, [page])),
      by('page of /ogc', withKeys(keys, [unit])),
    ])
    if (!plain || !ofBox || !first || !ofFirst) throw new Error('The contest has no result.')
    return {
      key: 'ogc',
      title: `/ogc, box of ${boxes.frames} frames`,
      measured: ofBox,
      findings: [
        told('of the box of /v1', ofBox.rate / plain.rate),
        told('bytes of the box of /v1', ofBox.bytes / plain.bytes),
        atLeast('of its bytes a second', bytesASecond(ofBox) / bytesASecond(plain), 0.9),
        told('first page of a state, of that of /v1', ofFirst.rate / first.rate),
        atLeast('of its bytes a second', bytesASecond(ofFirst) / bytesASecond(first), 0.9),
      ],
    }
  },
}

const ids: RowOf = {
  key: 'ids',
  measure: async (bench) => {
    const { keys, ids: lists } = bench.asked
    const asks = withKeys(
      keys,
      lists.map((list) => `/v1/frames?ids=${list.join(',')}`),
    )
    const scripts = lists.map((list) => ({ queries: [query(statements.framesListed, set(list))] }))
    return (await beside(bench, { key: 'ids', title: '100 ids', connections: 16, asks, scripts, ratio: 0.55 })).row
  },
}

/** Lists the statements of the data call. Every call sends those of the key and the generation as well. */
function dataScripts({ ids: lists, baselines, features }: Asked, orgId: string, withFeatures: boolean): Script[] {
  return lists.map((list) => ({
    queries: [
      query(statements.datasetsInReach, orgId, null),
      query(statements.frameBoxes, set(list)),
      query(statements.recordsOfBaselines, set(list), set(baselines)),
      ...(withFeatures ? [query(statements.recordsOfFeatures, set(list), set(features), '200')] : []),
    ],
  }))
}

const data = (key: string, title: string, withFeatures: boolean): RowOf => ({
  key,
  measure: async (bench) => {
    const keys = withFeatures ? bench.asked.readers : bench.asked.analysts
    const asks = withKeys(
      keys,
      bench.asked.ids.map((list) => `/v1/frames/data?ids=${list.join(',')}`),
    )
    const scripts = dataScripts(bench.asked, keys.orgId, withFeatures)
    return (await beside(bench, { key, title, connections: 16, asks, scripts, ratio: 0.62 })).row
  },
})

const insight: RowOf = {
  key: 'insight',
  measure: async (bench) => {
    const { analysts, fifties, baselines } = bench.asked
    const asks = fifties.map((frameIds, i) => ({
      path: '/v1/frames/insight',
      secret: analysts.secrets[i % analysts.secrets.length] ?? '',
      body: JSON.stringify({ frameIds }),
    }))
    const scripts = fifties.map((list) => ({
      queries: [
        query(statements.datasetsInReach, analysts.orgId, null),
        query(statements.frameBoxes, set(list)),
        query(statements.figuresOfFrames, set(list)),
        query(statements.figuresOfBaselines, set(list), set(baselines)),
        query(statements.figuresOfFeatures, set(list), '{}'),
        query(statements.recordsOfBaselines, set(list), set(baselines)),
      ],
    }))
    const title = 'insight without words, 50 frames'
    return (await beside(bench, { key: 'insight', title, connections: 16, asks, scripts, ratio: 0.85 })).row
  },
}

/** Gives each box the tag that it has now. */
const unchanged: RowOf = {
  key: '304',
  measure: async ({ machinery, service, asked: { keys, boxes } }) => {
    const fresh = boxAsks(keys, boxes.boxes)
    const known = await Promise.all(fresh.slice(0, boxes.boxes.length).map((ask) => withTag(service.url, ask)))
    const [full, none] = await contest(machinery, [
      byService(machinery, 'the box', service, fresh, 8),
      byService(machinery, '304', service, known, 8),
    ])
    if (!full || !none) throw new Error('The contest has no result.')
    const findings = [atLeast(`of ${Math.round(full.rate)} of the 200`, none.rate / full.rate, 10)]
    return { key: '304', title: '304 on an unchanged box', measured: none, findings }
  },
}

export const loadRows: RowOf[] = [
  at,
  box,
  pages,
  ogc,
  ids,
  data('data', 'data, 100 ids, 6 baselines', false),
  data('features', 'data, 100 ids, with features', true),
  insight,
  unchanged,
]

/** Recomputes a figure from its source and the frames of its answer, in SQL that shares nothing with the service's. */
import assert from 'node:assert/strict'
import type { FigureSubject, Source, SourceCondition } from '../../src/insight/facets.js'

export type Rows = <Row>(text: string) => Promise<readonly Row[]>

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
const listOf = (ids: readonly string[]) => `array[${ids.join()}]::bigint[]`
const DECIMAL = String.raw`'^[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$'`
const asNumber = (text: string) => `case when trim(${text}) ~ ${DECIMAL} then trim(${text})::numeric end`

/** A select of frame_id, value and number: the features by their shapes, not by the stored join. */
function valuesOf({ layerId, attribute, property }: FigureSubject, ids: readonly string[]): string {
  const isIn = `frame_id = any (${listOf(ids)})`
  if (layerId === 'frames') {
    const number = attribute === 'geom' ? 'round((ST_Area(geom::geography) / 1e6)::numeric, 6)' : '1'
    const value = ['state', 'lga', 'ward'].includes(attribute) ? attribute : 'null'
    return `select frame_id, ${value}::text as value, ${number}::numeric as number from frame where ${isIn}`
  }
  if (attribute !== 'feature') {
    const text = `recorded ->> ${quote(attribute)}`
    return `select frame_id, trim(${text}) as value,
        case when (select type from attribute where layer_id = ${quote(layerId)} and name = ${quote(attribute)}) = 'number' then ${asNumber(text)} end as number
      from baseline where layer_id = ${quote(layerId)} and ${isIn} and trim(${text}) <> ''`
  }
  const text = property === undefined ? 'null' : `properties ->> ${quote(property)}`
  const number =
    property === undefined
      ? 'count(feature_id)'
      : `case count(feature_id) when 0 then 0 else sum(${asNumber(text)}) end`
  return `select frame_id, null as value, ${number}::numeric as number
    from frame left join ${featuresOf(layerId)} on ST_Intersects(frame.geom, shape) where ${isIn} group by frame_id`
}

const featuresOf = (layerId: string) =>
  `(select feature_id, feature.geom as shape, properties from dataset join feature using (version) where layer_id = ${quote(layerId)}) as feature`
const featuresIn = (layerId: string, ids: readonly string[]) =>
  `select distinct on (feature_id) feature_id, shape, properties, coalesce(properties ->> 'name', feature_id) as name
    from frame join ${featuresOf(layerId)} on ST_Intersects(frame.geom, shape) where frame_id = any (${listOf(ids)})`

async function passing(rows: Rows, ids: readonly string[], condition: SourceCondition) {
  const found = await rows<{ id: string; value: string | null; number: string | null; has: boolean }>(
    `select frame_id::text as id, value, number::text as number, ${boundsOf(condition)} as has from (${valuesOf(condition, ids)}) as cell`,
  )
  const [entry] = await rows<{ type: string }>(
    `select type from attribute where layer_id = ${quote(condition.layerId)} and name = ${quote(condition.attribute)}`,
  )
  const isText = entry?.type === 'category'
  const { test } = condition
  const of = (test === 'class' || test === 'not_class') && condition.value
  const kept = found.filter(({ value, has }) =>
    test === 'class' ? value === of : test === 'not_class' ? value !== of : isText && test === 'any' ? true : has,
  )
  const isNone = isText && test === 'none'
  const recorded = isNone ? ids.length : found.filter(({ number }) => isText || of !== false || number !== null).length
  const names = new Set(isNone ? ids.filter((id) => !found.some((row) => row.id === id)) : kept.map(({ id }) => id))
  return { ids: ids.filter((id) => names.has(id)), recorded }
}

function boundsOf(condition: SourceCondition): string {
  if (condition.test === 'none') return 'number = 0'
  if (condition.test === 'any') return 'number > 0'
  if (condition.test !== 'bounds') return 'true'
  const { above, atLeast, below, atMost } = condition
  const parts = [
    above && `number > ${above}`,
    atLeast && `number >= ${atLeast}`,
    below && `number < ${below}`,
    atMost && `number <= ${atMost}`,
  ]
  return parts.filter(Boolean).join(' and ')
}

async function passingAll(rows: Rows, ids: readonly string[], where: readonly SourceCondition[]) {
  let kept = [...ids]
  let recorded = ids.length
  for (const condition of where) {
    const found = await passing(rows, ids, condition)
    kept = kept.filter((id) => found.ids.includes(id))
    recorded = Math.min(recorded, found.recorded)
  }
  return { ids: kept, recorded }
}

const total = (subject: FigureSubject, ids: readonly string[]) => {
  if (subject.attribute !== 'feature') return `(select sum(number) from (${valuesOf(subject, ids)}) as cell)`
  const number = subject.property === undefined ? '1' : asNumber(`properties ->> ${quote(subject.property)}`)
  return `(select coalesce(sum((${number})::numeric), 0) from (${featuresIn(subject.layerId, ids)}) as inside)`
}
const plain = (number: string, digits?: number) =>
  `trim_scale(${digits === undefined ? number : `round((${number})::numeric, ${digits})`})::text`

/** The numbers of the facet's value, in order; undefined for a statistic that this does not know. */
export async function numbersOf(
  rows: Rows,
  frameIds: readonly string[],
  source: Source,
): Promise<string[] | undefined> {
  const { where = [], statistic, n = 1, order, layerId, property } = source
  const scope = await passingAll(rows, frameIds, where)
  if (statistic === 'passing') return passingNumbers(scope, frameIds.length)
  const ids = scope.ids
  const cell = `(select frame_id, value, number from (${valuesOf(source, ids)}) as valued where number is not null) as cell`
  const select = async (columns: string[], from = cell) => {
    const [row] = await rows<{ says: string[] }>(
      `select array_remove(array[${columns.join()}], null) as says from ${from}`,
    )
    return row?.says
  }
  if (source.by) return groupNumbers(rows, ids, { ...source, by: source.by })
  const whole = total(source, ids)
  if (statistic === 'median')
    return select(
      [plain('percentile_cont(0.5) within group (order by number)', 2)],
      cell.replace('valued where', 'valued where'),
    )
  if (statistic === 'range')
    return select([plain('max(number) - min(number)'), plain('min(number)'), plain('max(number)')])
  if (statistic === 'part') {
    const part = `(select sum(number) from (select number from ${cell} order by number desc limit ${n}) as top)`
    return select([plain(`100 * ${part} / ${whole}`, 1), plain(part), plain(whole)], '(select) as one')
  }
  if (statistic === 'per_km2') {
    const land = `(select sum(round((ST_Area(geom::geography) / 1e6)::numeric, 6)) from frame where frame_id in (select frame_id from ${cell}))`
    return select([plain(`${whole} / ${land}`, 2), plain(whole), plain(land, 2)], '(select) as one')
  }
  if (statistic === 'rank')
    return rankNumbers(
      await rows(
        `select frame_id::text as id, ${plain('number')} as number, rank() over (order by number ${order === 'highest' ? 'desc' : ''})::int as turn from ${cell} order by turn, frame_id`,
      ),
      source.n,
    )
  if (statistic === 'per' || statistic === 'change') return comparedNumbers(rows, ids, source)
  if (statistic === 'extent') {
    const land = `(select ST_Union(geom) as land from frame where frame_id = any (${listOf(ids)})) as land`
    const inside = `(select ST_Union(ST_Intersection(shape, land)) as geom from (${featuresIn(layerId, ids)}) as feature cross join ${land}) as inside`
    const isArea = layerId === 'lyr_reserves'
    const extent = isArea ? 'ST_Area(geom::geography) / 1e6' : 'ST_Length(geom::geography) / 1e3'
    return select([plain(`coalesce(${extent}, 0)`, 2)], inside)
  }
  if (property === undefined) return undefined
  const number = asNumber(`properties ->> ${quote(property)}`)
  const features = `(${featuresIn(layerId, ids)}) as feature`
  if (statistic === 'sum') return select([plain(`coalesce(sum(${number}), 0)`)], features)
  if (statistic === 'mean') return select([plain(`avg(${number})`, 2)], features)
  if (statistic === 'share')
    return select(
      [
        `count(*) filter (where trim(properties ->> ${quote(property)}) = ${quote(source.class ?? '')})::text`,
        'count(*)::text',
      ],
      features,
    )
  return undefined
}

function passingNumbers({ ids, recorded }: { ids: string[]; recorded: number }, asked: number): string[] {
  const named = ids.length === asked ? [] : ids.slice(0, 10)
  const more = named.length > 0 && ids.length > 10 ? [String(ids.length - 10)] : []
  return [String(ids.length), String(asked), ...named, ...more, ...(recorded < asked ? [String(asked - recorded)] : [])]
}

type GroupSource = Source & { by: FigureSubject }
type GroupRow = { name: string; inside: string; ids: string[]; recorded: number; number: string | null; mode: string[] }

/** The numbers of a figure by unit or class: a frame belongs to the unit that the index has for it. */
async function groupNumbers(rows: Rows, ids: readonly string[], source: GroupSource): Promise<string[]> {
  const { by, statistic, n, order = 'highest', having } = source
  const inside =
    by.layerId === 'frames' ? { state: "''", lga: 'state', ward: "lga || ', ' || state" }[by.attribute] : "''"
  const members = await rows<{ name: string; inside: string; ids: string[] }>(
    `select value as name, ${inside} as inside, array_agg(frame_id::text) as ids
      from (${valuesOf(by, ids)}) as member join frame using (frame_id) where value is not null group by 1, 2`,
  )
  const groups = await Promise.all(
    members.map(async (group) => ({ ...group, ...(await ofGroup(rows, group.ids, source)) })),
  )
  const silent = groups.filter(({ recorded }) => recorded === 0).length
  const said = silent === 0 ? [] : [String(silent), String(groups.length)]
  if (statistic === 'mode') {
    const recorded = groups.filter((group) => group.recorded > 0)
    const first = recorded.toSorted((a, b) => b.recorded - a.recorded || byName(a, b)).slice(0, 10)
    return [...first.flatMap(({ mode }) => mode), ...moreThan(recorded, first), ...said]
  }
  if (having) {
    const bounds = having.test === 'bounds' ? having : having.test === 'none' ? { atMost: '0' } : { above: '0' }
    const kept = groups.filter(({ number }) => number !== null && isWithin(Number(number), bounds))
    return [
      String(kept.length),
      String(groups.length),
      ...(kept.length < groups.length ? moreThan(kept, kept.slice(0, 10)) : []),
      ...said,
    ]
  }
  const ranked = groups
    .filter(({ number }) => number !== null)
    .toSorted((a, b) => (Number(a.number) - Number(b.number)) * (order === 'lowest' ? 1 : -1) || byName(a, b))
  const numbers = (some: readonly GroupRow[]) => some.map(({ number }) => number ?? '')
  const shared = ranked.filter(({ number }) => number === ranked[0]?.number)
  if (n === 1)
    return [...numbers(shared.slice(0, 1)), ...(shared.length > 3 ? [String(shared.length - 1)] : []), ...said]
  const named = ranked.slice(0, n ?? 10)
  const tied = ranked.slice(named.length).filter(({ number }) => number === named.at(-1)?.number).length
  const rest = n === undefined ? moreThan(ranked, named) : tied === 0 ? [] : [String(tied), named.at(-1)?.number ?? '']
  return [...numbers(named), ...rest, ...said]
}

const moreThan = (all: readonly unknown[], named: readonly unknown[]) =>
  all.length > named.length ? [String(all.length - named.length)] : []
const byName = (a: GroupRow, b: GroupRow) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))
const isWithin = (number: number, { above, atLeast, below, atMost }: Partial<Record<string, string>>) =>
  (above === undefined || number > Number(above)) &&
  (atLeast === undefined || number >= Number(atLeast)) &&
  (below === undefined || number < Number(below)) &&
  (atMost === undefined || number <= Number(atMost))

async function ofGroup(rows: Rows, ids: readonly string[], source: GroupSource) {
  const { statistic, weight } = source
  const cell = `(${valuesOf(source, ids)}) as cell`
  const recorded = `count(${statistic === 'mode' ? 'value' : 'number'})::int as recorded`
  const digits = source.attribute === 'geom' ? 2 : undefined
  const land = `(select sum(round((ST_Area(geom::geography) / 1e6)::numeric, 6)) from frame where frame_id in (select frame_id from ${cell} where number is not null))`
  const weights =
    weight === 'area' || weight === undefined
      ? { layerId: 'frames', attribute: 'geom' }
      : { layerId: source.layerId, attribute: weight }
  const weighted = `(select sum(one.number * weight.number) / sum(weight.number) from ${cell.replace('as cell', 'as one')} join (${valuesOf(weights, ids)}) as weight using (frame_id) where weight.number > 0 and one.number is not null)`
  const figures: Record<string, string> = {
    sum: plain(total(source, ids), digits),
    count: plain(total(source, ids)),
    per_km2: plain(`${total(source, ids)} / ${land}`, 2),
    mean: plain('avg(number)', 2),
    min: plain('min(number)'),
    max: plain('max(number)'),
    weighted_mean: plain(weighted, 2),
    mode: 'null',
  }
  const [row] = await rows<{ recorded: number; number: string | null }>(
    `select ${recorded}, case when count(number) > 0 then ${figures[statistic]} end as number from ${cell}`,
  )
  const classes = await rows<{ items: number }>(
    `select count(*)::int as items from ${cell} where value is not null group by value order by 1 desc`,
  )
  assert.ok(row)
  const [most] = classes
  const tied = classes.filter(({ items }) => items === most?.items).length
  const share = most === undefined ? '' : String(Math.round((1000 * most.items) / row.recorded + 1e-9) / 10)
  return { ...row, mode: [...(tied > 3 ? [String(tied)] : []), share] }
}

type Ranked = { id: string; number: string; turn: number }
function rankNumbers(found: readonly Ranked[], n: number | undefined): string[] {
  const named = found.slice(0, Math.min(n ?? 10, 10))
  const rest = found.slice(named.length)
  const last = named.at(-1)
  const pairs = named.flatMap(({ id, number }) => [id, number])
  if (rest.length === 0 || !last) return pairs
  if (n === undefined || n > 10) return [...pairs, String(rest.length)]
  const tied = rest.filter(({ turn }) => turn === last.turn).length
  return tied === 0 ? pairs : [...pairs, String(tied), last.number]
}

async function comparedNumbers(rows: Rows, ids: readonly string[], { other, statistic, ...source }: Source) {
  assert.ok(other)
  const both = await rows<{ id: string }>(
    `select one.frame_id::text as id from (${valuesOf(source, ids)}) as one join (${valuesOf(other, ids)}) as other using (frame_id)
      where one.number is not null and other.number is not null`,
  )
  const shared = both.map(({ id }) => id)
  const isSummed =
    source.attribute === 'feature' ||
    source.attribute.startsWith('pop') ||
    source.attribute === 'mkt_households' ||
    source.attribute === 'bld_ct' ||
    source.attribute === 'mkt_shops'
  const figure = (subject: FigureSubject) =>
    isSummed ? total(subject, shared) : `(select avg(number) from (${valuesOf(subject, shared)}) as cell)`
  const [row] = await rows<{
    one: string
    other: string
    ratio: string | null
    change: string
    percent: string | null
  }>(
    `select ${plain('one', isSummed ? undefined : 2)} as one, ${plain('other', isSummed ? undefined : 2)} as other, ${plain('one / nullif(other, 0)', 2)} as ratio,
      ${plain('abs(one - other)', isSummed ? undefined : 2)} as change, ${plain('abs(100 * (one - other) / nullif(other, 0))', 1)} as percent
      from (select ${figure(source)} as one, ${figure(other)} as other) as figure`,
  )
  assert.ok(row)
  if (statistic === 'per') return [...(row.ratio === null ? [] : [row.ratio]), row.one, row.other]
  return [
    ...(row.change === '0' ? [] : [row.change, ...(row.percent === null ? [] : [row.percent])]),
    row.other,
    row.one,
  ]
}

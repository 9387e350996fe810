/** Recomputes a figure from its source and the frames of its answer, in SQL that shares nothing with the service's. */
import assert from 'node:assert/strict'
import type { FigureSubject, Source, SourceCondition } from '../../src/core/figures/typed.js'
import { groupNumbers, groupSource } from './recomputed-groups.js'
import {
  asNumber,
  boundsOfDraws,
  drawsOf,
  featuresIn,
  listOf,
  percentOf,
  plain,
  quote,
  small,
  total,
  valuesOf,
  type Rows,
} from './recomputed-values.js'

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
  const judged = isText && test === 'any' ? [] : found.filter(({ number }) => isText || of !== false || number !== null)
  const recorded = isText && (isNone || test === 'any') ? ids : judged.map(({ id }) => id)
  const names = new Set(isNone ? ids.filter((id) => !found.some((row) => row.id === id)) : kept.map(({ id }) => id))
  return { ids: ids.filter((id) => names.has(id)), failing: recorded.filter((id) => !names.has(id)) }
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

/** A frame fails where one of the conditions fails, whatever it lacks for the others. Frames stand in the order of their units. */
async function passingAll(rows: Rows, ids: readonly string[], where: readonly SourceCondition[]) {
  const ordered = await rows<{ id: string }>(
    `select frame_id::text as id from frame left join frame_unit using (frame_id) where frame_id = any (${listOf(ids)}) order by home_id, frame_id`,
  )
  let kept = ordered.map(({ id }) => id)
  const failing = new Set<string>()
  for (const condition of where) {
    const found = await passing(rows, ids, condition)
    kept = kept.filter((id) => found.ids.includes(id))
    for (const id of found.failing) failing.add(id)
  }
  return { ids: kept, recorded: kept.length + failing.size }
}

/** The numbers of the facet's value, in order; undefined for a statistic that this does not know. */
export async function numbersOf(
  rows: Rows,
  frameIds: readonly string[],
  source: Source,
): Promise<string[] | undefined> {
  const { where = [], statistic, order, layerId, property, unit } = source
  if (unit) {
    const { unit: _unit, ...own } = source
    const [state, lga, ward] = unit.map(quote)
    const found = await rows<{ id: string }>(
      `select frame_id::text as id from frame where state = ${state} and lga = ${lga} and ward = ${ward}`,
    )
    return await numbersOf(
      rows,
      found.map(({ id }) => id),
      own,
    )
  }
  const scope = await passingAll(rows, frameIds, where)
  if (statistic === 'passing') return passingNumbers(scope, frameIds.length)
  // A share of those of a place is one of all who are there.
  const places = where.filter((each) => each.layerId === 'frames' && each.test === 'class')
  const isInPlace = places.length > 0 && places.length < where.length
  const whole = isInPlace ? (await passingAll(rows, frameIds, places)).ids : frameIds
  const groups = groupSource(source)
  if (groups) {
    const some = groups.some && (await passing(rows, scope.ids, groups.some)).ids
    return groupNumbers(rows, scope.ids, groups, some)
  }
  // Beside a share.
  if (statistic === 'figure') return undefined
  if (statistic === 'portion') {
    const [part, all] = [`coalesce(${total(source, scope.ids)}, 0)`, total(source, whole)]
    const [row] = await rows<{ says: string[] }>(
      `select array[${percentOf(part, all)}, ${plain(part)}, ${plain(all)}] as says`,
    )
    return row?.says
  }
  const ids = scope.ids
  const eachFrame = `(select frame_id, value, number from (${valuesOf(source, ids)}) as valued where number is not null) as cell`
  // The median of a property is over features: a clinic on two frames counts once.
  const cell =
    source.property === undefined
      ? eachFrame
      : `(select ${asNumber(`properties ->> ${quote(source.property)}`)} as number from (${featuresIn(source.layerId, ids)}) as inside) as cell`
  const select = async (columns: string[], from = cell) => {
    const [row] = await rows<{ says: string[] }>(
      `select array_remove(array[${columns.join()}], null) as says from ${from}`,
    )
    return row?.says
  }
  const sum = total(source, ids)
  if (statistic === 'median') return select([plain('percentile_cont(0.5) within group (order by number)', 2)])
  if (statistic === 'interval' && source.of === 'change' && source.other) {
    const { other } = source
    const both = await recordedBoth(rows, ids, source, other)
    // The estimate of 2025 has no draws: it is the same in each run.
    const [sign, drawn, exact] = source.attribute === 'pop_demest26' ? ['', source, other] : ['-', other, source]
    const draws = `(select n, ${sign}(draw - ${total(exact, both)}) as draw from ${drawsOf(drawn, both)} as one)`
    return (await boundsOfDraws(rows, draws))?.filter((bound) => bound !== '0').map((bound) => bound.replace('-', ''))
  }
  if (statistic === 'interval') {
    const by =
      source.of === 'per_km2'
        ? `(select sum(area_km2) from frame where frame_id in (select frame_id from ${cell}))`
        : source.of === 'portion'
          ? `(select draw / 100 from ${drawsOf(source, whole)} as whole where whole.n = part.n)`
          : source.of === 'mean'
            ? `(select count(*) from ${cell})`
            : '1'
    return boundsOfDraws(rows, drawsOf(source, ids), by)
  }
  if (statistic === 'range')
    return select([plain('max(number) - min(number)'), plain('min(number)'), plain('max(number)')])
  if (statistic === 'per_km2') {
    const land = `(select sum(round((ST_Area(geom::geography) / 1e6)::numeric, 6)) from frame where frame_id in (select frame_id from ${cell}))`
    return select([small(`${sum} / ${land}`), plain(sum), small(land)], '(select) as one')
  }
  if (statistic === 'rank')
    return rankNumbers(
      await rows(
        `select frame_id::text as id, ${plain('number')} as number, rank() over (order by number ${order === 'highest' ? 'desc' : ''})::int as turn from ${cell} join frame_unit using (frame_id) order by turn, home_id, frame_id`,
      ),
      source.n,
    )
  if (statistic === 'per' || statistic === 'change') return comparedNumbers(rows, ids, source)
  if (statistic === 'extent') {
    const features = `(${featuresIn(layerId, ids)}) as feature`
    const cells = `(select frame_id, geom as cell from frame where frame_id = any (${listOf(ids)})) as cell`
    // Each feature counts: land that two of them cover counts twice. A road on an edge lies in the frame with the lower id.
    const lower = `coalesce((select ST_Union(geom) from frame where geom && cell and frame.frame_id < cell.frame_id), 'srid=4326;polygon empty')`
    const [part, extent] =
      layerId === 'lyr_reserves'
        ? ['ST_Intersection(shape, cell)', 'ST_Area(geom::geography) / 1e6']
        : [`ST_Difference(ST_Intersection(shape, cell), ${lower})`, 'ST_Length(geom::geography) / 1e3']
    const inside = `(select ${part} as geom from ${features} join ${cells} on ST_Intersects(shape, cell)) as inside`
    return select([small(`coalesce(sum(${extent}), 0)::numeric`)], inside)
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
  // Half a tenth of a percent is rounded up.
  const percent = String(Math.floor((ids.length * 1000) / asked + 0.5) / 10)
  const silent = recorded < asked ? [String(asked - recorded)] : []
  return [String(ids.length), String(asked), percent, ...named, ...more, ...silent]
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

async function recordedBoth(rows: Rows, ids: readonly string[], one: FigureSubject, other: FigureSubject) {
  const both = await rows<{ id: string }>(
    `select one.frame_id::text as id from (${valuesOf(one, ids)}) as one join (${valuesOf(other, ids)}) as other using (frame_id)
      where one.number is not null and other.number is not null`,
  )
  return both.map(({ id }) => id)
}

async function comparedNumbers(rows: Rows, ids: readonly string[], { other, statistic, ...source }: Source) {
  assert.ok(other)
  const { times = '1' } = source
  // A ratio is of two totals, each over all of its frames.
  const shared = statistic === 'per' ? ids : await recordedBoth(rows, ids, source, other)
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
    `select ${plain('one', isSummed ? undefined : 2)} as one, ${plain('other', isSummed ? undefined : 2)} as other, ${small(`${times} * one / nullif(other, 0)`)} as ratio,
      ${plain('abs(one - other)', isSummed ? undefined : 2)} as change, ${plain('abs(100 * (one - other) / nullif(other, 0))', 1)} as percent
      from (select ${figure(source)} as one, ${figure(other)} as other) as figure`,
  )
  assert.ok(row)
  if (statistic === 'per')
    return [...(row.ratio === null ? [] : [row.ratio, ...(times === '1' ? [] : [times])]), row.one, row.other]
  return [
    ...(row.change === '0' ? [] : [row.change, ...(row.percent === null ? [] : [row.percent])]),
    row.other,
    row.one,
  ]
}

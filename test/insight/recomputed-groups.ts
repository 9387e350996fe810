/** Recomputes figures by unit or class, in SQL that shares nothing with the service's. */
import assert from 'node:assert/strict'
import { defined } from '../../src/core/defined.js'
import type { Figure, Measure } from '../../src/core/figures/algebra.js'
import type { FigureSubject, Source, SourceCondition } from '../../src/core/figures/typed.js'
import { boundsOfDraws, drawsOf, percentOf, plain, small, total, valuesOf, type Rows } from './recomputed-values.js'

/** A figure of the algebra, as its words name its parts. */
type GroupSource = FigureSubject & {
  statistic: string
  by: FigureSubject
  other?: FigureSubject
  some?: SourceCondition
  weight: Source['weight']
} & Pick<Figure, 'having' | 'order' | 'n' | 'times'>

const STATISTICS: Readonly<Record<string, string>> = { ratio: 'per', percent: 'portion' }
function subjectIn({ things, subject }: Measure): FigureSubject {
  const { of = 'frames', name } = subject ?? {}
  if (things?.startsWith('lyr_')) return { layerId: things, attribute: 'feature', ...(name && { property: name }) }
  return { layerId: of, attribute: name ?? 'frame_id' }
}

/** Undefined where the source is no figure of units or of classes. */
export function groupSource({ statistic, figure, weight }: Source): GroupSource | undefined {
  const { of, op, to, by, having, order, n, times } = figure ?? {}
  if (!of || !by || !('level' in by || 'class' in by)) return undefined
  const group = 'level' in by ? { of: 'frames', name: by.level } : by.class
  const tested = of.where ?? of.among
  const isDensity = op === 'ratio' && to?.subject?.name === 'geom'
  return {
    ...subjectIn(of),
    statistic:
      statistic === 'interval' ? statistic : isDensity ? 'per_km2' : (STATISTICS[op ?? ''] ?? of.how ?? 'count'),
    by: { layerId: group.of ?? '', attribute: group.name ?? '' },
    weight,
    ...(op === 'ratio' && to && { other: subjectIn(to) }),
    ...(tested && 'is' in tested && 'name' in tested && { some: { layerId: tested.of ?? '', attribute: tested.name ?? '', test: 'class', value: tested.is[0] ?? '' } }), // prettier-ignore
    ...defined({ having, order, n, times }),
  }
}

type GroupRow = { name: string; inside: string; ids: string[]; recorded: number; number: string | null }

/** The numbers of a figure by unit or class: a frame belongs to the unit that the index has for it. `some` have a share, else each group has one in all. */
export async function groupNumbers(
  rows: Rows,
  ids: readonly string[],
  source: GroupSource,
  some?: readonly string[],
): Promise<string[]> {
  const { by, n, order = 'highest', having } = source
  const inside =
    by.layerId === 'frames' ? { state: "''", lga: 'state', ward: "lga || ', ' || state" }[by.attribute] : "''"
  const members = await rows<{ name: string; inside: string; ids: string[] }>(
    `select value as name, ${inside} as inside, array_agg(frame_id::text) as ids
      from (${valuesOf(by, ids)}) as member join frame using (frame_id) where value is not null group by 1, 2`,
  )
  const groups = await Promise.all(
    members.map(async (group) => ({ ...group, ...(await ofGroup(rows, { ids: group.ids, all: ids, some }, source)) })),
  )
  // A share in nothing is none.
  const isSilent = ({ recorded, number }: GroupRow) =>
    ['portion', 'per'].includes(source.statistic) ? number === null : recorded === 0
  const silent = groups.filter(isSilent).length
  const said = silent === 0 ? [] : [String(silent), String(groups.length)]
  if (having) {
    const kept = groups.filter(({ number }) => number !== null && isWithin(Number(number), having))
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
  if (source.statistic === 'interval') {
    const bounds = ranked.slice(0, 10).map((group) => boundsOfDraws(rows, drawsOf(source, group.ids)))
    return [...(await Promise.all(bounds)).flatMap((each) => each ?? []), ...moreThan(ranked, ranked.slice(0, 10))]
  }
  const numbers = (all: readonly GroupRow[]) => all.map(({ number }) => number ?? '')
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
const isWithin = (number: number, { above, atLeast, below, atMost }: NonNullable<Figure['having']>) =>
  (above === undefined || number > Number(above)) &&
  (atLeast === undefined || number >= Number(atLeast)) &&
  (below === undefined || number < Number(below)) &&
  (atMost === undefined || number <= Number(atMost))

type Members = { ids: readonly string[]; all: readonly string[]; some: readonly string[] | undefined }

async function ofGroup(rows: Rows, { ids, all, some }: Members, source: GroupSource) {
  const { statistic, weight } = source
  const cell = `(${valuesOf(source, ids)}) as cell`
  const digits = source.attribute === 'geom' ? 2 : undefined
  const land = `(select sum(round((ST_Area(geom::geography) / 1e6)::numeric, 6)) from frame where frame_id in (select frame_id from ${cell} where number is not null))`
  const weights =
    weight === 'area' || weight === undefined
      ? { layerId: 'frames', attribute: 'geom' }
      : { layerId: source.layerId, attribute: weight }
  const weighted = `(select sum(one.number * weight.number) / sum(weight.number) from ${cell.replace('as cell', 'as one')} join (${valuesOf(weights, ids)}) as weight using (frame_id) where weight.number > 0 and one.number is not null)`
  const figures: Record<string, string> = {
    sum: plain(total(source, ids), digits),
    interval: plain(total(source, ids)),
    portion: percentOf(
      `coalesce(${total(source, some ? ids.filter((id) => some.includes(id)) : ids)}, 0)`,
      total(source, some ? ids : all),
    ),
    count: plain(total(source, ids)),
    per: small(`${source.times ?? '1'} * ${total(source, ids)} / nullif(${total(source.other ?? source, ids)}, 0)`),
    per_km2: small(`${total(source, ids)} / ${land}`),
    mean: plain('avg(number)', 2),
    weighted_mean: plain(weighted, 2),
  }
  const [row] = await rows<{ recorded: number; number: string | null }>(
    `select count(number)::int as recorded, case when count(number) > 0 or ${source.attribute === 'feature'} then ${figures[statistic]} end as number from ${cell}`,
  )
  assert.ok(row)
  return row
}

/** Computes a figure of each unit or class that the frames lie in: "people by LGA", "LGAs without a school". */
import { compareDecimals } from '../decimal.js'
import { placeName } from '../place-name.js'
import { defined } from '../defined.js'
import type { Bounds, Figure as Asked } from './algebra.js'
import type { FigureRow } from '../db/index.js'
import type { Computed } from './facets.js'
import { groupValue, NAMED_MAX } from './facet-text.js'
import type { FrameSet } from './frame-set.js'
import { nounsOf } from './nouns.js'
import { describe, type Description, type FigureCall } from './subject.js'
import type { FigureStatistic, Grouped, Result, Unnamed } from './typed.js'
import { boundsOf } from './conditions.js'
import { boundsOfGroups } from './intervals.js'
import {
  askedOf,
  countOfFrames,
  extentOf,
  groupedBy,
  landOf,
  measureOf,
  measureOnFrames,
  recordedBy,
} from './measures.js'

/** A page lists as many groups. A line names fewer. */
const GROUPS_LISTED = 50

/** `some`: each group has the share of these frames in its total. Without it, a share is that of the group in all. */
export async function groupsFigure(call: FigureCall, some?: FrameSet): Promise<Computed | undefined> {
  const { reads, figure, subject } = call
  const { statistic } = figure
  const by = figure.by && (await describe(reads, figure.by))
  const other = figure.other && (await describe(reads, figure.other))
  const isGroup = by?.named.type === 'unit' || by?.named.type === 'category'
  if (!isGroup || !hasStatistic(subject, statistic) || (other && other.summary !== 'sum')) return undefined
  const groups = await groupsOf(call, { by, other, some })
  if (!groups || groups.length === 0) return undefined
  const per = other && { other: other.named, ...defined({ times: figure.times }) }
  // A unit without a feature has none of them, and is not silent. A ratio to none has no number.
  const silent = groups.filter(({ number }) => number === null).length
  const without = groups.filter(({ isWithout }) => isWithout).length
  const common: Grouped = {
    by: by.named,
    silent,
    all: groups.length,
    ...(without > 0 && { without }),
    ...defined({ per }),
  }
  const found: Found | undefined = figure.having ? passingOf(call, groups) : rankedOf(call, groups)
  if (!found) return undefined
  const { named, result, listed } = found
  const list = listed?.slice(0, GROUPS_LISTED).map((group) => ({
    name: group.path?.toReversed().join(', ') ?? group.name,
    value: groupValue(call, per, boundedNumber(group)),
    number: group.number ?? '0',
    ...(group.path && { unit: group.path }),
  }))
  return {
    result: { ...result, ...common } as Result,
    // Each frame has so many features, or none.
    frames: recordedBy(subject) ? groups.reduce((sum, { recorded }) => sum + recorded, 0) : call.set.count,
    ...(statistic === 'weighted_mean' && subject.weight !== null && { weight: subject.weight }),
    units: named.flatMap(({ path }) => (path ? [path] : [])),
    ...defined({ groups: list }),
  }
}

type Grouping = { by: Description; other: Description | undefined; some: FrameSet | undefined }
/** An interval stands beside the total, which gives the groups their order. */
type Group = {
  name: string
  /** Null for a class. */
  path: readonly string[] | null
  recorded: number
  isWithout: boolean
  /** As people read it, and exact. */
  number: string | null
  exact: string | null
  /** Groups of one number share a place in the order. */
  place: number
  lower?: string
  upper?: string
}
const boundedNumber = ({ number, lower, upper }: Group) => ({ number: number ?? '', ...defined({ lower, upper }) })

async function groupsOf(call: FigureCall, grouping: Grouping): Promise<readonly Group[] | undefined> {
  if (call.figure.statistic !== 'interval') return await numbersOfGroups(call, grouping)
  const ofTotals: FigureCall = { ...call, figure: { ...call.figure, statistic: 'sum' } }
  const [groups, bounds] = await Promise.all([numbersOfGroups(ofTotals, grouping), boundsOfGroups(call, grouping.by)])
  return groups?.flatMap((group) => {
    const own = bounds.get(JSON.stringify(group.path ?? group.name))
    return own ? [{ ...group, ...own }] : []
  })
}

/** The highest first. Frames without a class are in no group. */
async function numbersOfGroups(call: FigureCall, { by, other, some }: Grouping): Promise<readonly Group[] | undefined> {
  const { reads, figure, subject } = call
  const isUnit = by.named.type === 'unit'
  const grouped = { by: groupedBy(by), order: figure.order ?? ('highest' as const) }
  const isOfAll = isUnit || recordedBy(subject) !== undefined
  const [rows, all] = await Promise.all([
    askedOf(reads, { ...askedOfGroups(call, other, some), ...grouped }),
    isOfAll ? undefined : askedOf(reads, { of: countOfFrames(call.set), by: grouped.by }),
  ])
  return withEmptyClasses(rows, all)
    .filter((row) => isUnit || row.class !== null)
    .map((row) => ({
      name: row.class ?? row.path.at(-1) ?? '',
      path: isUnit ? row.path : null,
      recorded: row.recorded,
      isWithout: row.value === null && row.other === '0' && other !== undefined && isThingsOf(other),
      number: row.shown,
      exact: row.value,
      place: row.place,
    }))
}

const isThingsOf = ({ named }: Description) => nounsOf(named).isThings

/** Classes of frames without a feature have 0. */
function withEmptyClasses(rows: readonly FigureRow[], all: readonly FigureRow[] | undefined): readonly FigureRow[] {
  if (all === undefined) return rows
  const found = new Set(rows.map((row) => row.class))
  const nothing = all.filter((row) => !found.has(row.class))
  const last = rows.length + 1
  return [...rows, ...nothing.map((row) => ({ ...row, recorded: 0, shown: '0', value: '0', place: last }))]
}

function askedOfGroups({ set, figure, subject }: FigureCall, other?: Description, some?: FrameSet): Asked {
  const { statistic, times } = figure
  const of = measureOf(set, subject)
  const figures: Partial<Record<FigureStatistic, () => Asked>> = {
    per: () => ({ of, op: 'ratio', ...(other && { to: measureOf(set, other) }), ...defined({ times }) }),
    per_km2: () => ({ of, op: 'ratio', to: landOf(set, recordedBy(subject)) }),
    portion: () => ({ of: some ? measureOf(some, subject) : of, op: 'percent', to: of, ...(!some && { toBy: null }) }),
    extent: () => ({ of: extentOf(set, subject) }),
    mean: () => ({ of: { ...measureOnFrames(set, subject), how: 'mean' } }),
    weighted_mean: () => ({ of: { ...of, how: 'weighted_mean' } }),
  }
  return figures[statistic]?.() ?? { of }
}

/** A property has a value for each feature: only its total is a figure of frames. A sum of averages would be none. */
function hasStatistic({ named: { type }, summary, source, dataset }: Description, statistic: FigureStatistic): boolean {
  if (type === 'category' || type === 'unit') return false
  if (statistic === 'extent') return dataset?.kind === 'lines' || dataset?.kind === 'polygons'
  if (statistic === 'count') return type === 'features' || source.attribute === 'frame_id'
  if (['sum', 'per', 'per_km2', 'portion', 'interval'].includes(statistic)) return summary === 'sum'
  if (statistic === 'weighted_mean') return summary === 'weighted_mean'
  return type !== 'property' && statistic === 'mean'
}

/** The units above them tell two units of one name apart. */
function groupName(groups: readonly Group[], { name, path }: Group): string {
  const isShared = groups.filter((group) => group.name === name).length > 1
  const inside = (path ?? []).slice(0, -1).toReversed().join(', ')
  return isShared && inside !== '' ? `${placeName(name)} (${placeName(inside)})` : name
}

/** The value lists some of the groups, of which it names the first, and a page lists more. */
type Found = { named: readonly Group[]; listed?: readonly Group[]; result: OwnOf<Result> }
type OwnOf<Each> = Each extends Grouped ? Omit<Each, keyof Grouped> : never

function rankedOf({ figure }: FigureCall, groups: readonly Group[]): Found | undefined {
  const { order = 'highest', n } = figure
  const recorded = groups.filter(({ number }) => number !== null)
  const areBands = figure.order === undefined && recorded.every(({ name, path }) => path === null && /^\d/.test(name))
  const ranked = areBands
    ? recorded.toSorted((a, b) => Number.parseFloat(a.name) - Number.parseFloat(b.name))
    : recorded
  const [first] = ranked
  if (!first) return undefined
  const count = Math.min(n ?? NAMED_MAX, NAMED_MAX)
  const named = n === 1 ? ranked.filter(({ place }) => place === first.place) : ranked.slice(0, count)
  const shown = named.map((group) => ({ name: groupName(groups, group), ...boundedNumber(group) }))
  if (n === 1) {
    const names = shown.map(({ name }) => name)
    return { named, listed: ranked, result: { is: 'group', order, number: first.number ?? '', names } }
  }
  return {
    named: ranked.slice(0, n),
    listed: ranked,
    result: { is: 'groups', ranked: shown, ...defined({ order: figure.order }), ...unnamedOf(ranked, named, n) },
  }
}

/** How many a list does not name: all others, or those that share the last place where it has only the first ones. */
function unnamedOf(ranked: readonly Group[], named: readonly Group[], n: number | undefined): Unnamed {
  const last = named.at(-1)
  const unnamed = ranked.slice(named.length)
  if (!last || n === undefined || n > named.length) return { more: unnamed.length }
  const more = unnamed.filter(({ place }) => place === last.place).length
  return { more, ...(last.number === null || more === 0 ? {} : { tied: last.number }) }
}

function passingOf({ figure }: FigureCall, groups: readonly Group[]): Found {
  const test = figure.having ?? { test: 'any' }
  const bounds = boundsOf(test)
  const passing = groups.filter(({ exact }) => exact !== null && isWithin(exact, bounds))
  const names = passing.slice(0, NAMED_MAX).map((group) => groupName(groups, group))
  return {
    named: passing.length === groups.length ? [] : passing,
    listed: passing,
    result: { is: 'groups_passing', test, names, count: passing.length },
  }
}

function isWithin(number: string, { above, atLeast, below, atMost, equals }: Bounds): boolean {
  const is = (bound: string | number | undefined, passes: (order: number) => boolean) =>
    bound === undefined || passes(compareDecimals(number, String(bound)))
  return (
    is(above, (order) => order > 0) &&
    is(atLeast, (order) => order >= 0) &&
    is(below, (order) => order < 0) &&
    is(atMost, (order) => order <= 0) &&
    is(equals, (order) => order === 0)
  )
}

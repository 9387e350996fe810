/** Computes a figure of each unit or class that the frames lie in: "people by LGA", "LGAs without a school". */
import { figuresOfGroups, ratiosOfGroups, ratiosOfParts, sharesOfGroups, totalsOfParts } from '../../db/statements.js'
import type { GroupFigure } from '../../db/rows.js'
import { defined } from '../../defined.js'
import type { Computed } from '../figures/facets.js'
import { groupValue, NAMED_MAX } from '../figures/facet-text.js'
import { type FrameSet, isReadable, isUnitLevel, UNIT_LEVELS, unitOf } from '../figures/frame-set.js'
import { FEATURES_COUNTED } from '../figures/reads.js'
import { describe, type Description, type FigureCall, INDEX } from '../figures/subject.js'
import type { FigureStatistic, Grouped, Result } from '../figures/typed.js'
import { testBounds } from './conditions.js'
import { boundsOfGroups } from './intervals.js'
import { unnamedOf } from './spread.js'

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
  // A unit without a feature has none of them, and is not silent.
  const silent = groups.filter(({ number }) => number === null).length
  const common: Grouped = { by: by.named, silent, all: groups.length, ...defined({ per }) }
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
    frames: groups.reduce((sum, { recorded }) => sum + recorded, 0),
    ...(statistic === 'weighted_mean' && subject.weight !== null && { weight: subject.weight }),
    units: named.flatMap(({ path }) => (path ? [path] : [])),
    ...defined({ groups: list }),
  }
}

type Grouping = { by: Description; other: Description | undefined; some: FrameSet | undefined }
/** An interval stands beside the total, which gives the groups their order. */
type Group = GroupFigure & { lower?: string; upper?: string }
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

/** Totals of the units in a unit are kept, and so are their ratios. Other groups are read frame by frame. */
async function numbersOfGroups(
  { reads, set, figure, subject }: FigureCall,
  { by, other, some }: Grouping,
): Promise<readonly GroupFigure[] | undefined> {
  const { statistic, times = '1' } = figure
  const bounds = testBounds(figure.having ?? { test: 'any' })
  const path = unitOf(set)
  const { layerId, attribute: level } = by.source
  const isPart = path && layerId === INDEX.layerId && isUnitLevel(level) && UNIT_LEVELS.indexOf(level) >= path.length
  const isShare = statistic === 'portion'
  const total = isPart && !some ? keptName(subject, isShare ? 'per' : statistic) : undefined
  if (isPart && total !== undefined) {
    const kept: [string[], string, string, string] = [[...path], level, subject.source.layerId, total]
    if (isShare) return await reads.rows(ratiosOfParts, ...kept, subject.source.layerId, total, '100', true, ...bounds)
    if (statistic !== 'per') return await reads.rows(totalsOfParts, ...kept, ...bounds)
    const divisor = other && keptName(other, 'per')
    if (divisor !== undefined)
      return await reads.rows(ratiosOfParts, ...kept, other?.source.layerId ?? '', divisor, times, false, ...bounds)
  }
  if (statistic === 'extent' || !isReadable(set)) return undefined
  if (statistic === 'per')
    return (
      other &&
      (await reads.rows(ratiosOfGroups, set.frames, ...subject.args, ...other.args, ...by.args, times, ...bounds))
    )
  if (isShare && some)
    return await reads.rows(sharesOfGroups, set.frames, ...subject.args, ...by.args, some.frames, ...bounds)
  const read = statistic === 'count' ? 'sum' : statistic
  return await reads.rows(figuresOfGroups, set.frames, ...subject.args, ...by.args, read, ...bounds)
}

/** The attribute of the kept total: the figure that is usual for the subject, a sum to divide, or an extent. */
function keptName({ named, summary, source, dataset }: Description, statistic: FigureStatistic): string | undefined {
  if (source.layerId === INDEX.layerId)
    return source.attribute === 'frame_id' && statistic === 'count' ? 'frame_id' : undefined
  if (named.type === 'features') {
    if (statistic === 'extent') return dataset?.kind === 'lines' ? 'km' : 'km2'
    return statistic === 'count' || statistic === 'per' ? FEATURES_COUNTED : undefined
  }
  const isKept = statistic === summary || (statistic === 'per' && summary === 'sum')
  return named.type !== 'property' && isKept ? source.attribute : undefined
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
function groupName(groups: readonly GroupFigure[], { name, path }: GroupFigure): string {
  const isShared = groups.filter((group) => group.name === name).length > 1
  const inside = (path ?? []).slice(0, -1).toReversed().join(', ')
  return isShared && inside !== '' ? `${name} of ${inside}` : name
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
    : order === 'highest'
      ? recorded
      : recorded.toSorted((a, b) => a.lowest - b.lowest)
  const [first] = ranked
  if (!first) return undefined
  const count = Math.min(n ?? NAMED_MAX, NAMED_MAX)
  const named = n === 1 ? ranked.filter((group) => group[order] === first[order]) : ranked.slice(0, count)
  const shown = named.map((group) => ({ name: groupName(groups, group), ...boundedNumber(group) }))
  if (n === 1) {
    const names = shown.map(({ name }) => name)
    return { named, listed: ranked, result: { is: 'group', order, number: first.number ?? '', names } }
  }
  const more = unnamedOf(ranked, named, { n, order })
  return {
    named: ranked.slice(0, n),
    listed: ranked,
    result: { is: 'groups', ranked: shown, ...defined({ order: figure.order }), ...more },
  }
}

function passingOf({ figure }: FigureCall, groups: readonly GroupFigure[]): Found {
  const passing = groups.filter(({ passes }) => passes)
  const names = passing.slice(0, NAMED_MAX).map((group) => groupName(groups, group))
  const test = figure.having ?? { test: 'any' }
  return {
    named: passing.length === groups.length ? [] : passing,
    listed: passing,
    result: { is: 'groups_passing', test, names, count: passing.length },
  }
}

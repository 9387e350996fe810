/** Computes a figure of each unit or class that the frames lie in: "people by LGA", "LGAs without a school". */
import { figuresOfGroups, ratiosOfParts, totalsOfParts, type GroupFigure } from '../../db/statements.js'
import { INDEX, type Facet } from '../figures/facets.js'
import { isReadable, isUnitLevel, UNIT_LEVELS, unitOf, type UnitPath } from '../figures/frame-set.js'
import { FEATURES_COUNTED } from '../figures/read-figures.js'
import { perText } from './comparisons.js'
import { countText, listText, percentText, tiedText } from '../figures/figure-text.js'
import type { FigureStatistic } from '../figures/figures.js'
import { boundsOf, passingWords } from './conditions.js'
import type { Test } from '../reading/reading.js'
import type { Grouped, GroupMode } from '../figures/typed.js'
import { facetOf, type FigureCall, type FigureText } from './facet.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import { unnamedOf } from './spread.js'
import { amountText, describe, insideSentence, namedOf, type Description } from './subject.js'
import { withUnit } from '../figures/figure-text.js'

/** A person cannot read more groups in one line. */
const NAMED_GROUPS = 10
/** This many groups that share a number have their names beside it. */
const NAMED_TIES = 3
/** A page lists as many. */
const GROUPS_LISTED = 50

/** The words of a label that say how the figure of each group is made. */
const GROUP_WORDS: Partial<Record<FigureStatistic, string>> = {
  sum: 'total',
  count: '',
  mean: 'average per frame',
  weighted_mean: 'weighted average',
  per_km2: 'per km²',
  min: 'lowest frame',
  max: 'highest frame',
  mode: 'most common',
  extent: '',
  per: '',
}
/** A total of averages would be no figure of these frames. */
const NEEDS_TOTAL: readonly FigureStatistic[] = ['sum', 'per_km2', 'per']

type GroupsCall = FigureCall & { by: Description; other: Description | undefined; groups: readonly GroupFigure[] }

export async function groupsFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, figure, subject } = call
  const { statistic, having } = figure
  const by = figure.by && (await describe(reads, figure.by))
  const other = figure.other && (await describe(reads, figure.other))
  if (!by || !isGroup(by) || !hasStatistic(subject, statistic) || (other && other.summary !== 'sum')) return undefined
  const groups = await groupsOf(call, by, other)
  if (!groups || groups.length === 0) return undefined
  const found: GroupsCall = { ...call, by, other, groups }
  const text = statistic === 'mode' ? modesText(found) : having ? passingGroups(found, having) : rankedText(found)
  if (text === undefined) return undefined
  const frames = groups.reduce((sum, { recorded }) => sum + recorded, 0)
  const weight = statistic === 'weighted_mean' && subject.weight !== null ? { weight: subject.weight } : {}
  const { units, listed, ...said } = text
  const list = listed?.slice(0, GROUPS_LISTED).map((group) => ({
    name: group.path?.toReversed().join(', ') ?? group.name,
    value: valueText(found, group.number),
    number: group.number ?? '0',
  }))
  return {
    ...facetOf(call, { ...said, label: labelOf(found), frames, source: weight }),
    ...(units && { units }),
    ...(list && { groups: list }),
  }
}

/** Totals of the units in a unit are kept, and so are their ratios. Other groups are read frame by frame. */
async function groupsOf(
  call: FigureCall,
  by: Description,
  other: Description | undefined,
): Promise<readonly GroupFigure[] | undefined> {
  const { reads, set, figure, subject } = call
  const { statistic } = figure
  const bounds = boundsOf(figure.having ?? { test: 'any' })
  const unit = partsOf(call, by)
  const total = unit && keptName(subject, statistic)
  if (unit && total !== undefined) {
    const kept: [string[], string, string, string] = [[...unit.path], unit.level, subject.source.layerId, total]
    if (statistic !== 'per') return await reads.rows(totalsOfParts, ...kept, ...bounds)
    const divisor = other && keptName(other, 'per')
    if (divisor === undefined) return undefined
    return await reads.rows(
      ratiosOfParts,
      ...kept,
      other?.source.layerId ?? '',
      divisor,
      figure.times ?? '1',
      ...bounds,
    )
  }
  if (statistic === 'per' || statistic === 'extent' || !isReadable(set)) return undefined
  const read = statistic === 'count' ? 'sum' : statistic
  return await reads.rows(figuresOfGroups, set.frames, ...subject.args, ...by.args, read, ...bounds)
}

function partsOf({ set }: FigureCall, { source }: Description): { path: UnitPath; level: string } | undefined {
  const path = unitOf(set)
  const { layerId, attribute } = source
  if (!path || layerId !== INDEX.layerId || !isUnitLevel(attribute)) return undefined
  return UNIT_LEVELS.indexOf(attribute) < path.length ? undefined : { path, level: attribute }
}

/** The attribute of the kept total: the figure that is usual for the subject, a sum to divide, or an extent. */
function keptName({ type, summary, source, dataset }: Description, statistic: FigureStatistic): string | undefined {
  if (source.layerId === INDEX.layerId)
    return source.attribute === 'frame_id' && statistic === 'count' ? 'frame_id' : undefined
  if (type === 'features') {
    if (statistic === 'extent') return dataset?.kind === 'lines' ? 'km' : 'km2'
    return statistic === 'count' || statistic === 'per' ? FEATURES_COUNTED : undefined
  }
  const isUsual = statistic === summary || (statistic === 'mode' && type === 'category')
  return type !== 'property' && (isUsual || (statistic === 'per' && summary === 'sum')) ? source.attribute : undefined
}

const isGroup = ({ type }: Description) => type === 'unit' || type === 'category'

/** A property has a value for each feature: only its total is a figure of frames. */
function hasStatistic({ type, summary, source, dataset }: Description, statistic: FigureStatistic): boolean {
  if (statistic === 'mode') return type === 'category'
  if (type === 'unit' || type === 'category' || GROUP_WORDS[statistic] === undefined) return false
  if (NEEDS_TOTAL.includes(statistic)) return summary === 'sum'
  if (statistic === 'extent') return dataset?.kind === 'lines' || dataset?.kind === 'polygons'
  if (statistic === 'count') return type === 'features' || source.attribute === 'frame_id'
  return statistic === 'weighted_mean' ? summary === 'weighted_mean' : type === 'number' || type === 'features'
}

function labelOf({ figure, subject, by, other }: GroupsCall): string {
  const words = other
    ? perText(other, figure.times)
    : figure.statistic === 'extent'
      ? extentWord(subject)
      : (GROUP_WORDS[figure.statistic] ?? '')
  const { n, order, having } = figure
  const grouped = `${words} by ${insideSentence(by.label)}`.trim()
  if (having) return `${grouped}, ${pluralOf(by)} ${passingWords(having, subject)}`
  if (order === undefined) return grouped
  return `${grouped}, ${n === 1 ? order : n === undefined ? `${order} first` : `${NUMBER_WORDS[n] ?? n} ${order}`}`
}

const pluralOf = ({ type, label }: Description) =>
  type === 'unit' ? `${insideSentence(label)}s` : `classes of ${insideSentence(label)}`

const extentWord = ({ dataset }: Description) => (dataset?.kind === 'lines' ? 'length' : 'area')

function valueText({ figure, subject, other }: GroupsCall, number: string | null): string {
  if (figure.statistic === 'extent') return withUnit(number ?? '', subject.dataset?.kind === 'lines' ? 'km' : 'km²')
  const per = other ? ` ${perText(other, figure.times)}` : figure.statistic === 'per_km2' ? ' per km²' : ''
  return amountText(subject, number ?? '') + per
}

/** The units above them tell two units of one name apart. */
function nameOf(groups: readonly GroupFigure[], { name, path }: GroupFigure): string {
  const isShared = groups.filter((group) => group.name === name).length > 1
  const inside = (path ?? []).slice(0, -1).toReversed().join(', ')
  return isShared && inside !== '' ? `${name} of ${inside}` : name
}

type GroupsText = Pick<FigureText, 'value' | 'result'> & { units?: UnitPath[]; listed?: readonly GroupFigure[] }
const unitsOf = (groups: readonly GroupFigure[]): UnitPath[] => groups.flatMap(({ path }) => (path ? [path] : []))

function rankedText(call: GroupsCall): GroupsText | undefined {
  const { figure, groups } = call
  const { order = 'highest', n } = figure
  const recorded = groups.filter(({ number }) => number !== null)
  const ranked = order === 'highest' ? recorded : recorded.toSorted((a, b) => a.lowest - b.lowest)
  const [first] = ranked
  if (!first) return undefined
  const silent = silentText(call)
  const common = groupedOf(call)
  if (n === 1) {
    const shared = ranked.filter((group) => group[order] === first[order])
    const names = shared.map((group) => nameOf(groups, group))
    return {
      value: extremeText(names, first, call) + silent,
      units: unitsOf(shared),
      listed: ranked,
      result: { is: 'group', ...common, order, number: first.number ?? '', names },
    }
  }
  const named = ranked.slice(0, Math.min(n ?? NAMED_GROUPS, NAMED_GROUPS))
  const list = named.map((group) => `${nameOf(groups, group)} (${valueText(call, group.number)})`).join(', ')
  const unnamed = unnamedOf(ranked, named, { n, order })
  return {
    value: list + othersText(unnamed, call) + silent,
    units: unitsOf(named),
    listed: ranked,
    result: {
      is: 'groups',
      ...common,
      ...(figure.order === undefined ? {} : { order: figure.order }),
      ranked: named.map((group) => ({ name: nameOf(groups, group), number: group.number ?? '' })),
      ...unnamed,
    },
  }
}

/** "7,745 people in MERIDIAN BAY", "3 schools in KOFA and KIRIN", "0 schools in ALDER and 11 others". */
function extremeText(names: readonly string[], first: GroupFigure, call: GroupsCall): string {
  const where = names.length <= NAMED_TIES ? listText(names) : `${names[0]} and ${countText(names.length - 1)} others`
  return `${valueText(call, first.number)} in ${where}`
}

/** A group that shares the last rank is named nowhere, so it is counted. */
function othersText({ more, tied }: { more: number; tied?: string }, call: GroupsCall): string {
  if (more === 0) return ''
  return tied === undefined
    ? ` and ${countText(more)} more`
    : `; ${countText(more)} more ${more === 1 ? 'has' : 'have'} ${valueText(call, tied)}`
}

const groupedOf = (call: GroupsCall): Grouped => ({
  by: namedOf(call.by),
  silent: silentGroups(call),
  all: call.groups.length,
  ...(call.other && { per: { other: namedOf(call.other), ...(call.figure.times && { times: call.figure.times }) } }),
})

const silentGroups = ({ groups }: GroupsCall): number => groups.filter(({ recorded }) => recorded === 0).length

function silentText(call: GroupsCall): string {
  const silent = silentGroups(call)
  return silent === 0
    ? ''
    : `; ${countText(silent)} of ${countText(call.groups.length)} ${pluralOf(call.by)} record nothing`
}

function passingGroups(call: GroupsCall, test: Test): GroupsText {
  const { groups, by } = call
  const passing = groups.filter(({ passes }) => passes)
  const names = passing.slice(0, NAMED_GROUPS).map((group) => nameOf(groups, group))
  const more = passing.length > names.length ? ` and ${countText(passing.length - names.length)} more` : ''
  const named = names.length === 0 || passing.length === groups.length ? '' : `: ${names.join('; ')}${more}`
  return {
    value: `${countText(passing.length)} of ${countText(groups.length)} ${pluralOf(by)}${named}${silentText(call)}`,
    units: passing.length === groups.length ? [] : unitsOf(passing),
    listed: passing,
    result: {
      is: 'groups_passing',
      test,
      names,
      count: passing.length,
      ...groupedOf(call),
    },
  }
}

/** The most common class of each group, and the part of the group's frames that has it. */
function modesText(call: GroupsCall): GroupsText | undefined {
  const { groups } = call
  const recorded = groups.filter(({ classes }) => classes !== null)
  if (recorded.length === 0) return undefined
  const named = recorded.toSorted((a, b) => b.recorded - a.recorded).slice(0, NAMED_GROUPS)
  const modes = named.map((group): GroupMode => {
    const classes = group.classes ?? []
    const count = classes[0]?.frames ?? 0
    const tied = classes.filter(({ frames }) => frames === count).map(({ value }) => value)
    return { name: nameOf(groups, group), classes: tied, percent: percentText(count, group.recorded) }
  })
  const list = modes.map(({ name, classes, percent }) => `${name} (${tiedText(classes)} ${percent} %)`).join(', ')
  const more = recorded.length - named.length
  return {
    value: `${list}${more > 0 ? ` and ${countText(more)} more` : ''}${silentText(call)}`,
    units: unitsOf(named),
    result: {
      is: 'modes',
      groups: modes,
      more,
      ...groupedOf(call),
    },
  }
}

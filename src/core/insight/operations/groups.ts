/** Computes a figure of each unit or class that the frames lie in: "people by LGA", "LGAs without a school". */
import { figuresOfGroups, type GroupFigure } from '../../db/statements.js'
import type { Facet } from '../figures/facets.js'
import { listText, percentText, tiedText } from '../figures/figure-text.js'
import type { FigureStatistic } from '../figures/figures.js'
import { boundsOf, passingWords } from './conditions.js'
import type { Test } from '../reading/reading.js'
import type { GroupMode } from '../figures/typed.js'
import { facetOf, type FigureCall, type FigureText } from './facet.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import { unnamedOf } from './spread.js'
import { amountText, describe, insideSentence, namedOf, type Description } from './subject.js'

/** A person cannot read more groups in one line. */
const NAMED_GROUPS = 10
/** This many groups that share a number have their names beside it. */
const NAMED_TIES = 3

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
}
/** A total of averages would be no figure of these frames. */
const NEEDS_TOTAL: readonly FigureStatistic[] = ['sum', 'per_km2']

type GroupsCall = FigureCall & { by: Description; groups: readonly GroupFigure[] }

export async function groupsFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  const { statistic, having } = figure
  const by = figure.by && (await describe(reads, figure.by))
  if (!by || !isGroup(by) || !hasStatistic(subject, statistic)) return undefined
  const groups = await reads.rows(
    figuresOfGroups,
    frameIds,
    ...subject.args,
    ...by.args,
    statistic === 'count' ? 'sum' : statistic,
    ...boundsOf(having ?? { test: 'any' }),
  )
  if (groups.length === 0) return undefined
  const found: GroupsCall = { ...call, by, groups }
  const text = statistic === 'mode' ? modesText(found) : having ? passingGroups(found, having) : rankedText(found)
  if (text === undefined) return undefined
  const frames = groups.reduce((sum, { recorded }) => sum + recorded, 0)
  const weight = statistic === 'weighted_mean' && subject.weight !== null ? { weight: subject.weight } : {}
  return facetOf(call, { ...text, label: labelOf(found), frames, source: weight })
}

const isGroup = ({ type }: Description) => type === 'unit' || type === 'category'

/** A property has a value for each feature: only its total is a figure of frames. */
function hasStatistic({ type, summary, source }: Description, statistic: FigureStatistic): boolean {
  if (statistic === 'mode') return type === 'category'
  if (type === 'unit' || type === 'category' || GROUP_WORDS[statistic] === undefined) return false
  if (NEEDS_TOTAL.includes(statistic)) return summary === 'sum'
  if (statistic === 'count') return type === 'features' || source.attribute === 'frame_id'
  return statistic === 'weighted_mean' ? summary === 'weighted_mean' : type === 'number' || type === 'features'
}

function labelOf({ figure, subject, by }: GroupsCall): string {
  const words = GROUP_WORDS[figure.statistic] ?? ''
  const { n, order, having } = figure
  const grouped = `${words} by ${insideSentence(by.label)}`.trim()
  if (having) return `${grouped}, ${pluralOf(by)} ${passingWords(having, subject)}`
  if (order === undefined) return grouped
  return `${grouped}, ${n === 1 ? order : n === undefined ? `${order} first` : `${NUMBER_WORDS[n] ?? n} ${order}`}`
}

const pluralOf = ({ type, label }: Description) =>
  type === 'unit' ? `${insideSentence(label)}s` : `classes of ${insideSentence(label)}`

const valueText = ({ figure, subject }: GroupsCall, number: string | null) =>
  amountText(subject, number ?? '') + (figure.statistic === 'per_km2' ? ' per km²' : '')

/** The units above them tell two units of one name apart. */
function nameOf(groups: readonly GroupFigure[], { name, inside }: GroupFigure): string {
  const isShared = groups.filter((group) => group.name === name).length > 1
  return isShared && inside !== null ? `${name} of ${inside}` : name
}

type GroupsText = Pick<FigureText, 'value' | 'result'>

function rankedText(call: GroupsCall): GroupsText | undefined {
  const { figure, groups } = call
  const { order = 'highest', n } = figure
  const recorded = groups.filter(({ number }) => number !== null)
  const ranked = order === 'highest' ? recorded : recorded.toSorted((a, b) => a.lowest - b.lowest)
  const [first] = ranked
  if (!first) return undefined
  const silent = silentText(call)
  const common = { by: namedOf(call.by), silent: silentGroups(call), all: groups.length }
  if (n === 1) {
    const shared = ranked.filter((group) => group[order] === first[order])
    const names = shared.map((group) => nameOf(groups, group))
    return {
      value: extremeText(names, first, call) + silent,
      result: { is: 'group', ...common, order, number: first.number ?? '', names },
    }
  }
  const named = ranked.slice(0, Math.min(n ?? NAMED_GROUPS, NAMED_GROUPS))
  const list = named.map((group) => `${nameOf(groups, group)} (${valueText(call, group.number)})`).join(', ')
  const unnamed = unnamedOf(ranked, named, { n, order })
  return {
    value: list + othersText(unnamed, call) + silent,
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
  const where = names.length <= NAMED_TIES ? listText(names) : `${names[0]} and ${names.length - 1} others`
  return `${valueText(call, first.number)} in ${where}`
}

/** A group that shares the last rank is named nowhere, so it is counted. */
function othersText({ more, tied }: { more: number; tied?: string }, call: GroupsCall): string {
  if (more === 0) return ''
  return tied === undefined
    ? ` and ${more} more`
    : `; ${more} more ${more === 1 ? 'has' : 'have'} ${valueText(call, tied)}`
}

const silentGroups = ({ groups }: GroupsCall): number => groups.filter(({ recorded }) => recorded === 0).length

function silentText(call: GroupsCall): string {
  const silent = silentGroups(call)
  return silent === 0 ? '' : `; ${silent} of ${call.groups.length} ${pluralOf(call.by)} record nothing`
}

function passingGroups(call: GroupsCall, test: Test): GroupsText {
  const { groups, by } = call
  const passing = groups.filter(({ passes }) => passes)
  const names = passing.slice(0, NAMED_GROUPS).map((group) => nameOf(groups, group))
  const more = passing.length > names.length ? ` and ${passing.length - names.length} more` : ''
  const named = names.length === 0 || passing.length === groups.length ? '' : `: ${names.join('; ')}${more}`
  return {
    value: `${passing.length} of ${groups.length} ${pluralOf(by)}${named}${silentText(call)}`,
    result: {
      is: 'groups_passing',
      by: namedOf(by),
      test,
      names,
      count: passing.length,
      silent: silentGroups(call),
      all: groups.length,
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
    value: `${list}${more > 0 ? ` and ${more} more` : ''}${silentText(call)}`,
    result: {
      is: 'modes',
      by: namedOf(call.by),
      groups: modes,
      more,
      silent: silentGroups(call),
      all: groups.length,
    },
  }
}

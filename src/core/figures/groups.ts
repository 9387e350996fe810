/** Computes a figure of the algebra for each unit or class: "people by LGA", "LGAs without a school". */
import { compareDecimals } from '../decimal.js'
import { placeName } from '../place-name.js'
import { defined } from '../defined.js'
import { UNIT_LEVELS } from '../place.js'
import type { Bounds, Figure as Asked, Groups } from './algebra.js'
import type { FigureRow } from '../db/index.js'
import { testOfBounds } from './conditions.js'
import type { Computed } from './facets.js'
import { groupValue, NAMED_MAX } from './facet-text.js'
import { tiedNames } from './figure-text.js'
import type { FrameSet } from './frame-set.js'
import { boundsOfRows } from './intervals.js'
import { askedOf, countOfFrames } from './measures.js'
import type { Reads } from './reads.js'
import type { Grouped, Result, Unnamed } from './typed.js'

/** A page lists as many groups. A line names fewer. */
const GROUPS_LISTED = 50

/** `told` are the words of the figure, and `number` is that of a row as people read it. */
export type GroupedCall = {
  reads: Reads
  set: FrameSet
  asked: Asked
  told: Pick<Grouped, 'label' | 'unit' | 'by' | 'words'>
  number: (row: FigureRow) => string | null
  isInterval: boolean
}

/** Undefined where the figure is of no units and of no classes. */
export const isOfGroups = ({ by }: Asked): boolean => by !== undefined && ('level' in by || 'class' in by)

/** An interval stands beside the total, which gives the groups their order. */
type Group = {
  name: string
  /** Null for a class. */
  path: readonly string[] | null
  /** As people read it, and exact. The most common class of a group has no order. */
  number: string | null
  exact: string | null
  /** Groups of one number share a place in the order. */
  place: number
  lower?: string
  upper?: string
}

export async function groupsFigure(call: GroupedCall): Promise<Computed | undefined> {
  const { reads, asked, told, isInterval } = call
  const { nth, inEach, having: _having, n: _n, ...more } = asked
  const plain: Asked = asked.of.how === 'mode' ? more : { ...more, order: asked.order ?? 'highest' }
  const [all, found] = await Promise.all([
    rowsOfAll(call, plain),
    nth !== undefined || inEach ? askedOf(reads, asked) : undefined,
  ])
  const bounds = isInterval ? await boundsOfRows(reads, plain) : undefined
  const rows = all.filter(isGroup(asked))
  const groups = groupsOf(rows, call).flatMap((group) => {
    const own = bounds?.get(keyOf(group))
    return bounds ? (own ? [{ ...group, ...own }] : []) : [group]
  })
  if (groups.length === 0) return undefined
  const silent = groups.filter(({ number }) => number === null).length
  // A ratio to none has no number.
  const without =
    told.words?.per === undefined ? 0 : rows.filter(({ value, other }) => value === null && other === '0').length
  const common: Grouped = { ...told, silent, all: groups.length, ...(without > 0 && { without }) }
  const chosen = found ? ofPlace(asked, groups, groupsOf(found.filter(isGroup(asked)), call)) : foundIn(asked, groups)
  if (!chosen) return undefined
  const { named, listed, result } = chosen
  const list = listed?.slice(0, GROUPS_LISTED).map((group) => ({
    name: group.path?.toReversed().join(', ') ?? group.name,
    value: groupValue(told.unit, boundedNumber(group)),
    number: group.number ?? '0',
    ...(group.path && { unit: group.path }),
  }))
  return {
    result: { ...result, ...common } as Result,
    ...recordedIn(call, rows),
    units: named.flatMap(({ path }) => (path ? [path] : [])),
    ...(asked.of.how !== 'mode' && defined({ groups: list })),
  }
}

const keyOf = ({ name, path }: Pick<Group, 'name' | 'path'>) => JSON.stringify(path ?? name)
const boundedNumber = ({ number, lower, upper }: Group) => ({ number: number ?? '', ...defined({ lower, upper }) })

function groupsOf(rows: readonly FigureRow[], { asked, number }: GroupedCall): Group[] {
  const by = asked.by as Groups
  const isUnit = 'level' in by
  return rows.map((row) => ({
    name: row.class ?? row.path.at(-1) ?? 'not recorded',
    path: isUnit ? row.path : null,
    number: asked.of.how === 'mode' ? commonest(row) : number(row),
    exact: row.value,
    place: row.place,
  }))
}

/** Frames without a class are in no group. */
const isGroup =
  ({ by }: Asked) =>
  (row: FigureRow) =>
    row.class !== null || !by || !('class' in by) || by.class.of === undefined

/** All classes that are the most common. */
function commonest({ classes }: FigureRow): string | null {
  const tied = classes?.filter(({ things }) => things === classes[0]?.things) ?? []
  return tied.length === 0 ? null : tiedNames(tied.map(({ value }) => placeName(value)))
}

/** Classes of frames without a feature have 0. */
async function rowsOfAll({ reads, set, asked }: GroupedCall, plain: Asked): Promise<readonly FigureRow[]> {
  const { of, op, by } = asked
  const isEmpty =
    op === undefined && of.things?.startsWith('lyr_') && of.how !== 'mean' && by && 'class' in by && by.class.of
  const [rows, all] = await Promise.all([
    askedOf(reads, plain),
    isEmpty ? askedOf(reads, { of: countOfFrames(set), by }) : undefined,
  ])
  const found = new Set(rows.map((row) => row.class))
  const nothing = all?.filter((row) => !found.has(row.class)) ?? []
  const zero = { recorded: 0, shown: '0', value: '0', place: rows.length + 1 }
  return [...rows, ...nothing.map((row) => ({ ...row, ...zero }))]
}

/** On how many of its frames the figure stands. A share is of those that record the whole. */
function recordedIn({ set, asked: { of, op, to, toBy } }: GroupedCall, rows: readonly FigureRow[]) {
  const isShare = op === 'percent' && toBy === undefined
  const measure = (isShare && to) || of
  const isOfFrames = (measure.things ?? 'frames') === 'frames' && measure.subject?.of !== 'frames'
  if (!isOfFrames || measure.subject === undefined || (isShare && measure.where)) return { frames: set.count }
  const sum = (key: 'recorded' | 'otherRecorded' | 'things') => rows.reduce((all, row) => all + row[key], 0)
  const count = sum(isShare ? 'otherRecorded' : 'recorded')
  return { frames: count, recorded: { count, of: measure.where ? sum('things') : set.count } }
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

/** The second of all, or the first of each unit above. */
function ofPlace({ nth, inEach, order }: Asked, groups: readonly Group[], found: readonly Group[]): Found | undefined {
  if (found.length === 0) return undefined
  const nameOf = (group: Group) => {
    const above = inEach && group.path?.[UNIT_LEVELS.indexOf(inEach)]
    return above ? `${placeName(group.name)} (${placeName(above)})` : groupName(groups, group)
  }
  const named = found.slice(0, NAMED_MAX)
  const ranked = named.map((group) => ({ name: nameOf(group), ...boundedNumber(group) }))
  const more = found.length - named.length
  return { named, listed: found, result: { is: 'groups', ranked, more, ...defined({ order, nth, inEach }) } }
}

function foundIn(asked: Asked, groups: readonly Group[]): Found | undefined {
  const { having, order } = asked
  if (!having) return rankedOf(asked, groups)
  const passing = groups.filter(({ exact }) => exact !== null && isWithin(exact, having))
  if (order && passing.length > 0) return rankedOf(asked, passing)
  const names = passing.slice(0, NAMED_MAX).map((group) => groupName(groups, group))
  return {
    named: passing.length === groups.length ? [] : passing,
    listed: passing,
    result: { is: 'groups_passing', test: testOfBounds(having), names, count: passing.length },
  }
}

function rankedOf({ order, n, by }: Asked, groups: readonly Group[]): Found | undefined {
  const recorded = groups.filter(({ number }) => number !== null)
  const areBands = order === undefined && by && 'class' in by && recorded.every(({ name }) => /^\d/.test(name))
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
    return {
      named,
      listed: ranked,
      result: { is: 'group', order: order ?? 'highest', number: first.number ?? '', names },
    }
  }
  return {
    named: ranked.slice(0, n),
    listed: ranked,
    result: { is: 'groups', ranked: shown, ...defined({ order }), ...unnamedOf(ranked, named, n) },
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

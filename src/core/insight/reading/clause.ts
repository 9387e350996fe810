/** One clause of a question while it is read. */
import type { Catalogue } from './catalogue.js'
import { type CueName, isCue, isUnit, type Item, type ItemOf } from './items.js'
import type { Ask, Condition, NamedPlace, RatioTo } from './reading.js'
import type { Subject, Test } from '../../figures/index.js'
import type { UnitLevel } from '../../place.js'
import { chosenTopics, newestYear, type Topic } from './topic.js'

/** A figure of each unit or class. `isList`: of all of them. */
export type GroupAsked = { by: Subject; item: Item; topic: Topic | undefined; isList?: boolean }
/** "Not urban" is negated. */
export type AskedClass = { topic: Topic; value: string; isNegated: boolean }

/** `recorded`: "with a school", which a distance behind it may be of as well. */
type LastTest = {
  end: number
  test: Test
  topicFor: (item: Item | undefined) => Topic | undefined
  recorded?: { condition: Condition; item: Item } | undefined
  isNegated?: boolean
}

/**
 * A member of a negated list. `items` account for its words, and `list` has what stands for each member. `isPlaced`:
 * people are in or outside of what it names.
 */
type Negation = { negator: Item; items: readonly Item[]; list: readonly Item[]; isPlaced: boolean }

/** The frames asked are those of one unit of this level, or are listed or drawn: no level. */
export type WholeLevel = UnitLevel | 'country' | undefined

export type Clause = {
  catalogue: Catalogue
  items: readonly Item[]
  years: readonly number[]
  /** An ask accounts for an item that is used. No figure answers one that is refused. The others wait for their role. */
  roles: Map<Item, 'used' | 'refused'>
  /** The thing that a condition behind it is about: frames, units or a topic. */
  head: Item | undefined
  /** The condition that "and" goes on with. */
  last: LastTest | undefined
  /** Members of negated lists that no rule has read yet. */
  negated: Map<Item, Negation>
  where: Condition[]
  /** These of them are ranges of a list: each has its own figure. */
  ranges: Condition[]
  places: NamedPlace[]
  /** "How many schools, and in Lakeside": a figure of all frames asked stands beside those of the places. */
  hasWhole: boolean
  level: WholeLevel
  /** "What share of towns": a share of the frames of each of these is asked for. */
  whole: { conditions: Condition[][]; items: readonly Item[] } | undefined
  /** A test of the units that the clause asks for: "wards without a school". */
  having: { condition: Condition; item: Item } | undefined
  /** A test of the share that the conditions select in each unit: "less than half of their people". */
  part: { test: Test; items: Item[] } | undefined
  ratio: RatioTo | undefined
  group: GroupAsked | undefined
  /** Which of the frames or groups is asked for: "steepest" has a topic, too. */
  extreme: { end?: 'max' | 'min' | undefined; topic?: Topic | undefined; isDense?: boolean; words: Item[] }
  classes: { item: ItemOf<'class' | 'detail'>; span: Item[]; isNegated: boolean }[]
  asks: Ask[]
}

export function emptyClause(catalogue: Catalogue, items: readonly Item[], level?: WholeLevel): Clause {
  const years = items.flatMap((item) => yearOf(catalogue, item) ?? [])
  return {
    catalogue, items, years, roles: new Map(), head: undefined, last: undefined, negated: new Map(), where: [], ranges: [], places: [], hasWhole: false, level, whole: undefined, having: undefined, part: undefined,
    ratio: undefined, group: undefined, extreme: { words: [] }, classes: [], asks: [],
  } // prettier-ignore
}

export function yearOf(catalogue: Catalogue, item: Item): number | undefined {
  if (isCue(item, 'last year')) return newestYear(catalogue) - 1
  return item.kind === 'number' && item.isYear ? Number(item.number) : undefined
}

export const has = ({ items }: Clause, ...cues: CueName[]) => items.some((item) => isCue(item, ...cues))
export const isFree = ({ roles }: Clause, item: Item | undefined): item is Item =>
  item !== undefined && !roles.has(item)
/** Both return true: a rule that gives a role fits. A refusal stands. */
export function use({ roles }: Clause, ...items: (Item | undefined)[]): true {
  for (const item of items) if (item && !roles.has(item)) roles.set(item, 'used')
  return true
}
export function refuse({ roles }: Clause, items: readonly Item[]): true {
  for (const item of items) roles.set(item, 'refused')
  return true
}

/** The topics that an item means in the years of the clause. */
export const topicsOf = ({ years }: Clause, item: Item | undefined): Topic[] =>
  item?.kind === 'topic' ? chosenTopics(item.topics, years) : []
export const topicOf = (clause: Clause, item: Item | undefined): Topic | undefined => topicsOf(clause, item)[0]

/** Topics that wait for their role. */
export const openTopics = (clause: Clause) =>
  clause.items.filter((item): item is ItemOf<'topic'> => item.kind === 'topic' && isFree(clause, item))

/** "And", "or", a comma or "versus" stands between the two. */
export function isJoined({ items }: Clause, first: Item, second: Item): boolean {
  const between = items.slice(items.indexOf(first) + 1, items.indexOf(second) + 1)
  return between.some((item) => item.mark !== '' || isCue(item, 'and', 'or', 'compare'))
}

/** The condition is on the units of the clause where it asks for units, else on frames. */
export function addTest(clause: Clause, items: readonly Item[], topic: Topic | undefined, test: Test): true {
  const { head, having, where } = clause
  if (!topic) return refuse(clause, items)
  const condition = { subject: topic.subject, test }
  if (isUnit(head)) {
    const before = clause.items[clause.items.indexOf(head) - 1]
    // Units that pass two tests, or in which others are counted, are not computed.
    if (having || isCue(before, 'in', 'of', 'from', 'not', 'except', 'by', 'per', 'each')) return refuse(clause, items)
    clause.having = { condition, item: head }
  } else where.push(condition)
  return use(clause, ...items)
}

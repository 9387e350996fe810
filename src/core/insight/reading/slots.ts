/**
 * Reads what stands beside the topics of a clause: adjectives ("steepest", "how crowded"), datasets beside a property of
 * theirs ("beds of the clinics"), classes of features ("primary schools"), ratios ("per household") and groups ("by ward").
 */
import {
  has,
  isJoined,
  layerOf,
  open,
  openTopics,
  refuse,
  topicOf,
  topicsOf,
  use,
  type AskedClass,
  type Clause,
} from './clause.js'
import { isCue, isUnit, type Item, type ItemOf } from './items.js'
import { topicNamed } from './names.js'
import type { RatioTo, Subject } from './reading.js'
import { isAdded, sameSubject, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

export type Extremes = { topic: Topic | undefined; end: 'max' | 'min' | undefined; isDense: boolean; words: Item[] }

/** "Steepest", "most populous", "how crowded", and "the highest frame". */
export function readAdjectives(clause: Clause): Extremes {
  const { items, catalogue } = clause
  const found: Extremes = { topic: undefined, end: undefined, isDense: false, words: [] }
  items.forEach((item, i) => {
    const before = items[i - 1]
    const isExtreme = isCue(before, 'max', 'min')
    if (!isCue(item, 'adjective')) return
    const after = items[i + 1]
    const isSaid = isCue(before, 'how') || !(isCue(after, 'frames') || isUnit(after) || after?.kind === 'topic')
    if (!item.isMost && !isExtreme && !isSaid) return
    const isDense = item.name === 'population density'
    const named = openTopics(clause).filter((each) => each.kind === 'topic' && !each.isDataset)
    const others = named.flatMap((each) => topicsOf(clause, each))
    const [other] = others
    // "How dense are the buildings".
    const density = isDense && other ? topicNamed(catalogue, `${other.unit} density`) : undefined
    const own = density ?? (isDense && other && !isAdded(other) ? other : topicNamed(catalogue, item.name))
    const topic = own ?? (isDense ? (other ?? topicNamed(catalogue, 'population')) : undefined)
    const isOwn =
      density !== undefined ||
      others.length === 0 ||
      others.some((each) => topic && sameSubject(each.subject, topic.subject))
    if (!topic || !isOwn) return
    if (density) use(clause, ...named)
    use(clause, item, isExtreme || isCue(before, 'how', 'or') ? before : undefined)
    found.words.push(item)
    if (others.length === 0 || density) found.topic = topic
    if (!own) found.isDense = true
    if (item.isMost || isExtreme)
      found.end = isExtreme && before.cue === 'min' ? (item.side === 'max' ? 'min' : 'max') : item.side
  })
  readNearness(clause, found)
  const extreme = open(clause, 'max', 'min')[0]
  found.end ??= isCue(extreme, 'max', 'min') ? extreme.cue : undefined
  const isHeight = extreme !== undefined && /^(highest|lowest)$/i.test(extreme.text) && openTopics(clause).length === 0
  if (isHeight && !found.topic && !items.some((item) => item.kind === 'class'))
    found.topic = topicNamed(catalogue, 'elevation')
  return found
}

const NEAR = /^(nearest|closest)$/i
const FAR = /^(farthest|furthest)$/i

/** "Which frame is closest to a market": the least of what measures the way there, such as the time to the nearest market. */
function readNearness(clause: Clause, found: Extremes): void {
  const { items, catalogue } = clause
  const at = items.findIndex((item) => isCue(item, 'relation') && (NEAR.test(item.text) || FAR.test(item.text)))
  const relation = items[at]
  const thing = items[isCue(items[at + 1], 'from') ? at + 2 : at + 1]
  const asks = items.slice(0, at).some((item) => isCue(item, 'frames') || isUnit(item))
  if (!relation || thing?.kind !== 'topic' || !asks || found.topic || openTopics(clause).length !== 1) return
  const words = plainWordsOf(thing.text).map(catalogue.stemOf)
  const [distance, nearest] = ['distance', 'nearest'].map(catalogue.stemOf)
  const way = catalogue.names.ofTopics.find(
    ({ topic, stems }) =>
      topic.type === 'number' &&
      words.every((word) => stems.includes(word)) &&
      stems.some((stem) => stem === distance || stem === nearest),
  )
  if (!way) return
  use(clause, relation, thing)
  found.words.push(relation)
  found.topic = way.topic
  found.end = NEAR.test(relation.text) ? 'min' : 'max'
}

/**
 * "How many beds do the clinics have" and "which clinic has the most beds" ask for beds alone, and so does "the biggest
 * clinic by beds". "Top 3 schools by pupils" puts schools in order.
 */
export function readOwners(clause: Clause): void {
  if (has(clause, 'rank', 'top', 'bottom')) return
  const topics = openTopics(clause)
  for (const item of topics) {
    const layer = topicOf(clause, item)?.type === 'features' ? layerOf(topicOf(clause, item)) : undefined
    const owned = topics.find(
      (each) => topicOf(clause, each)?.subject.kind === 'property' && layerOf(topicOf(clause, each)) === layer,
    )
    if (layer === undefined || !owned) continue
    const [first, second] = topics.indexOf(item) < topics.indexOf(owned) ? [item, owned] : [owned, item]
    if (!isJoined(clause, first, second) && isPutInOrder(clause, item, owned)) use(clause, item)
  }
}

/** True without an order, and where the order is that of the property. Accounts for "by". */
function isPutInOrder(clause: Clause, owner: Item, owned: Item): boolean {
  const { items } = clause
  const [extreme, ...more] = open(clause, 'max', 'min')
  const by = open(clause, 'by')
  if (!extreme) return by.length === 0
  if (more.length > 0) return false
  const before = items.slice(0, items.indexOf(owned)).findLast((item) => !isCue(item, 'amount'))
  if (by.length === 0) return before === extreme
  if (before !== by[0] || items[items.indexOf(owner) - 1] !== extreme) return false
  use(clause, before)
  return true
}

type Detail = { item: ItemOf<'detail'>; before: Item | undefined; topic: Topic; value: string | undefined }

const FLAGS = new Set(['true', 'false'])
const isFlag = ({ classes }: Topic) => classes.length > 0 && classes.every((value) => FLAGS.has(value))

/**
 * The classes that are asked for, and a property whose most common class is. A class beside frames selects them: "frames
 * with a secondary school". Figures of some features alone, such as the pupils of secondary schools, are not computed.
 */
export function readDetails(clause: Clause): { classes: AskedClass[]; property: Topic | undefined } {
  const nothing = { classes: [], property: undefined }
  const [owner, ...others] = openTopics(clause)
  const layer = topicOf(clause, owner)?.type === 'features' ? layerOf(topicOf(clause, owner)) : undefined
  if (!owner || layer === undefined || others.length > 0 || asksMore(clause)) return nothing
  const details = clause.items.flatMap((item, i) => detailOf(item, clause.items[i - 1], layer) ?? [])
  const [first, ...more] = details
  // Schools that are of two classes at once are not counted.
  if (!first || more.some(({ topic }) => topic !== first.topic)) return nothing
  if (selectsFrames(clause, owner, details)) return nothing
  if (first.value === undefined && !isFlag(first.topic)) {
    if (more.length > 0) return nothing
    use(clause, owner, first.item)
    return { classes: [], property: first.topic }
  }
  const values = details.map(valueOf)
  if (values.includes(undefined)) return nothing
  use(clause, owner)
  for (const { item, before } of details) use(clause, item, isLink(before) ? before : undefined)
  const classes = values.flatMap((value) =>
    value === undefined ? [] : [{ topic: first.topic, value, isNegated: false }],
  )
  return { classes, property: undefined }
}

/** "Not boarding" is a class of its own. The schools that are not primary are several classes: undefined. */
function valueOf({ before, topic, value = 'true' }: Detail): string | undefined {
  if (!isCue(before, 'not', 'without', 'except')) return value
  return isFlag(topic) ? (value === 'true' ? 'false' : 'true') : undefined
}

const isLink = (item: Item | undefined) => isCue(item, 'not', 'without', 'except', 'with', 'and', 'or', 'compare')

/** Other figures than the number of features: "the ward with the most primary schools", "boarding schools per 1,000 people". */
const asksMore = (clause: Clause) =>
  has(
    clause,
    'max',
    'min',
    'per',
    'head',
    'by',
    'each',
    'extent',
    'size',
    'ratio',
    'density',
    'bound',
    'mean',
    'rank',
  ) || clause.items.some(isUnit)

function detailOf(item: Item, before: Item | undefined, layer: string): Detail | undefined {
  if (item.kind !== 'detail') return undefined
  const meaning = item.meanings.find(({ topic }) => layerOf(topic) === layer)
  return meaning && { item, before, topic: meaning.topic, value: meaning.value }
}

/** "Which frames have a secondary school": the words from "have" to the features are a condition. */
function selectsFrames(clause: Clause, owner: Item, details: readonly Detail[]): boolean {
  const { items } = clause
  const cue = items.findIndex((item) => isCue(item, 'with', 'without'))
  const frames = items.findIndex((item) => isCue(item, 'frames') && !clause.used.has(item))
  if (frames === -1) return false
  const [detail, ...more] = details
  const value = detail?.value ?? 'true'
  const span = items.slice(cue + 1, cue + 3)
  const isWhole = detail !== undefined && span.includes(owner) && span.includes(detail.item)
  if (frames < cue && isWhole && more.length === 0 && isCue(items[cue], 'with')) {
    clause.where.push({ subject: detail.topic.subject, test: { test: 'class', value } })
    use(clause, items[cue], owner, detail.item)
  }
  return true
}

/** `isList`: each group has its figure. Else some of them are asked for. `isPer`: "per ward". */
export type Group = { by: Subject; item: Item; topic: Topic | undefined; isList?: true; isPer?: boolean }

/** "Shops per household", "per capita", "the ratio of shops to households". */
export function readRatio(clause: Clause): RatioTo | undefined {
  const { items, catalogue } = clause
  const per = items.findIndex((item, i) => isCue(item, 'per') && !isUnit(items[i + 1]))
  if (per !== -1) {
    const number = items[per + 1]?.kind === 'number' ? items[per + 1] : undefined
    const item = items[number ? per + 2 : per + 1]
    const other = topicOf(clause, item)
    if (!other || !isAdded(other)) {
      refuse(clause, items[per], number, item)
      return undefined
    }
    use(clause, item, number)
    const isMany = number?.kind === 'number' && Number(number.number) > 1
    return { other: other.subject, ...(isMany ? { times: number.number } : {}) }
  }
  const other = has(clause, 'ratio') ? openTopics(clause)[1] : undefined
  use(clause, other)
  const topic = has(clause, 'head') ? topicNamed(catalogue, 'population') : topicOf(clause, other)
  return topic && { other: topic.subject }
}

const UNIT_SUBJECTS = ['state', 'lga', 'ward'] as const

/** A unit of the index, or a category of the catalogue: its classes are groups. */
function groupAt(clause: Clause, item: Item | undefined): Group | undefined {
  if (isUnit(item)) {
    const figure = UNIT_SUBJECTS.find((unit) => isCue(item, unit))
    if (figure) return { by: { kind: 'index', figure }, item, topic: item.topics[0] }
    const own = item.topics.find(({ label }) => label.toLowerCase() === item.text.toLowerCase())
    return own && { by: own.subject, item, topic: own }
  }
  const topic = topicOf(clause, item)
  const isGroup = topic?.type === 'category' && topic.summary === 'mode' && topic.subject.kind === 'attribute'
  return item && isGroup ? { by: topic.subject, item, topic } : undefined
}

/** "By ward", "in each state", "per LGA", "by settlement class". */
export function readList(clause: Clause): Group | undefined {
  const { items } = clause
  for (const [i, item] of items.entries()) {
    if (!isCue(item, 'by', 'each', 'per')) continue
    const group = groupAt(clause, items[i + 1])
    if (group) {
      use(clause, group.item, item)
      return { ...group, isList: true, isPer: isCue(item, 'per') }
    }
    if (isUnit(items[i + 1])) refuse(clause, item, items[i + 1])
  }
  return undefined
}

/** "Which ward has the most people", "top 3 states", "which settlement class has the most people". */
export function readChosen(clause: Clause, { end }: Extremes): Group | undefined {
  const { items, having } = clause
  if (having) {
    use(clause, having.item)
    return groupAt(clause, having.item)
  }
  for (const [i, item] of items.entries()) {
    if (clause.used.has(item) || clause.refused.has(item)) continue
    const isChosen =
      isUnit(item) || (end !== undefined && isCue(items[i - 1], 'which') && openTopics(clause).length > 1)
    const group = isChosen ? groupAt(clause, item) : undefined
    if (group) {
      use(clause, item)
      return group
    }
    if (isUnit(item) && (item.topics.length === 0 || openTopics(clause).length > 0))
      refuse(clause, isCue(items[i - 1], 'which') ? items[i - 1] : undefined, item)
  }
  return undefined
}

/** Reads figures of units and classes: "people by LGA", "which ward has the most schools", "top 3 states by area". */
import type { Topic } from './topic.js'
import { meaningOf } from './adjectives.js'
import type { Item } from './items.js'
import { addAsk, isWeak, openTopics, topicOfItem, type Part } from './part.js'
import type { GroupMeasure, Operation, Subject } from './reading.js'
import { isAdded, isCue } from './topics.js'

const UNITS: readonly [figure: 'state' | 'lga' | 'ward', words: RegExp][] = [
  ['state', /^states?$/i],
  ['lga', /^(lgas?|local governments?.*|government areas?)$/i],
  ['ward', /^wards?$/i],
]

/** `list`: each group has its figure. `choice`: the question wants the first of them. */
type Group = { by: Subject; item: Item; cues: Item[]; kind: 'list' | 'choice'; n: number | undefined }

export function readByUnit(part: Part): void {
  missChosenUnit(part)
  const group = groupIn(part)
  if (!group) return
  const extreme = extremeIn(part, group)
  if (group.kind === 'choice' && !extreme) return
  const subjects = subjectsOf(part, group, extreme)
  if (subjects.length === 0) return
  for (const { subject, topic, words } of subjects) {
    addAsk(part, subject, operationOf(part, { group, extreme, topic }))
    for (const word of words) part.used.add(word)
  }
  for (const item of [group.item, ...group.cues, ...(extreme?.items ?? [])]) part.used.add(item)
  for (const item of part.items) if (isMeasureCue(item) || isCue(item, 'count', 'each', 'by')) part.used.add(item)
}

/** "Schools in the state with the most people": figures of a unit that another figure chooses are not computed. */
function missChosenUnit(part: Part): void {
  const { items } = part
  items.forEach((item, i) => {
    const after = items[i + 2]
    const isExtreme = isCue(after, 'statistic') || (isCue(after, 'adjective') && after.adjective.form === 'most')
    if (!unitOf(item) || !isCue(items[i - 1], 'in', 'of', 'from') || !isCue(items[i + 1], 'any') || !isExtreme) return
    const span = items.slice(i - 1, items[i + 3]?.kind === 'topic' ? i + 4 : i + 3)
    for (const each of span) part.used.add(each)
    part.missed.push(span.map(({ text }) => text).join(' '))
  })
}

/** "Which LGAs have no school", "how many wards have more than 1,000 people": the condition is on units, not on frames. */
export function readUnitsPassing(part: Part): void {
  const [condition, ...others] = part.where.filter((each) => !part.placesOf.has(each))
  const place = placeOfUnits(part)
  const unit = unitOf(part.items[place])
  const item = condition && part.whereItems.get(condition)
  const { test } = condition?.test ?? {}
  if (!condition || !unit || !item || others.length > 0 || part.items.indexOf(item) < place) return
  if (test === 'class' || test === 'not_class' || openTopics(part).some((each) => !isWeak(each))) return
  part.where = part.where.filter((each) => each !== condition)
  part.asks = part.asks.filter(({ subject }) => subject.kind !== 'index')
  const before = part.items[place - 1]
  for (const each of [part.items[place], before]) if (each) part.used.add(each)
  addAsk(part, condition.subject, { op: 'by', by: unit, having: condition.test })
}

/** The place of the units that a condition selects: "which LGAs", "how many wards", "list the states". */
const placeOfUnits = ({ items }: Part): number =>
  items.findIndex((item, i) => unitOf(item) !== undefined && isCue(items[i - 1], 'which', 'count', 'names'))

export const asksOfUnits = (part: Part): boolean => placeOfUnits(part) !== -1

function unitOf(item: Item | undefined): Subject | undefined {
  if (!item || !(isCue(item, 'unit') || isWeak(item))) return undefined
  const figure = UNITS.find(([, words]) => words.test(item.text))?.[0]
  return figure && { kind: 'index', figure }
}

/** A category of a dataset has classes, as an LGA has wards. */
function categoryOf(part: Part, item: Item | undefined): Subject | undefined {
  const topic = topicOfItem(part, item)
  return topic?.type === 'category' && topic.summary === 'mode' && topic.subject.kind === 'attribute'
    ? topic.subject
    : undefined
}

function groupIn(part: Part): Group | undefined {
  const { items } = part
  for (const [i, item] of items.entries()) {
    const unit = unitOf(item)
    const by = unit ?? categoryOf(part, item)
    if (!by || item.isPointed || part.used.has(item)) continue
    // A "district" of a question is no unit of the index.
    const isNamed = unit !== undefined || !isWeak(item)
    const isNumbered = items[i - 1]?.kind === 'number' || isCue(items[i - 1], 'number')
    const start = isNumbered ? i - 2 : i - 1
    const [before, after] = [items[start], items[i + 1]]
    const n = isNumbered ? numberOf(items[i - 1]) : undefined
    const cues = items.slice(Math.max(0, start), i)
    if (isCue(before, 'by', 'each') || (unit && isCue(before, 'per', 'compare')))
      return { by, item, cues, kind: 'list', n }
    if (unit && isCue(before, 'rank', 'top', 'bottom')) return { by, item, cues, kind: 'choice', n }
    const isChosen = isCue(after, 'any') || (unit !== undefined && isCue(after, 'link', 'adjective', 'statistic'))
    if (isNamed && isCue(before, 'which') && isChosen) return { by, item, cues, kind: 'choice', n: n ?? oneOf(item) }
    // "Schools in the state with the most people" is no question about states.
    if (unit && i <= 1 && isCue(after, 'any') && !isCue(before, 'in', 'of', 'count', 'none'))
      return { by, item, cues: [], kind: 'choice', n: n ?? oneOf(item) }
  }
  return undefined
}

const numberOf = (item: Item | undefined): number | undefined =>
  item?.kind === 'number' || isCue(item, 'number') ? Number(item.number) : undefined
/** "Which wards" asks for several, as many as a person can read. */
const oneOf = ({ text }: Item) => (/[^s]s$/i.test(text) ? undefined : 1)

type Extreme = { end: 'high' | 'low'; items: Item[]; topic: Topic | undefined; isDensity: boolean }

function extremeIn(part: Part, { item: group, cues, kind }: Group): Extreme | undefined {
  const { items } = part
  const ranks = cues.find((cue) => isCue(cue, 'rank', 'top', 'bottom'))
  for (const item of items) {
    if (item === group || cues.includes(item)) continue
    if (isCue(item, 'statistic') && (item.statistic === 'max' || item.statistic === 'min')) {
      const after = items[items.indexOf(item) + 1]
      const end = item.statistic === 'max' ? 'high' : 'low'
      if (!isCue(after, 'adjective')) return { end, items: [item], topic: undefined, isDensity: false }
      return extremeOfAdjective(part, after, [item, after])
    }
    if (isCue(item, 'adjective') && item.adjective.form === 'most') return extremeOfAdjective(part, item, [item])
  }
  if (ranks) return { end: isCue(ranks, 'bottom') ? 'low' : 'high', items: [], topic: undefined, isDensity: false }
  return kind === 'list' ? undefined : rankIn(items)
}

function rankIn(items: readonly Item[]): Extreme | undefined {
  const item = items.find((each) => isCue(each, 'rank', 'top', 'bottom'))
  return item && { end: isCue(item, 'bottom') ? 'low' : 'high', items: [item], topic: undefined, isDensity: false }
}

function extremeOfAdjective(part: Part, item: Item, items: Item[]): Extreme | undefined {
  if (!isCue(item, 'adjective')) return undefined
  const meaning = meaningOf(part, item)
  if (!meaning) return undefined
  const { statistic } = meaning.wanted
  const end = statistic === 'max' ? 'high' : statistic === 'min' ? 'low' : item.adjective.end
  const isDensity = /^(dens|spars)/i.test(item.text) || items.some(({ text }) => /^(dens|spars)/i.test(text))
  return { end, items, topic: meaning.topic, isDensity }
}

type GroupSubject = { subject: Subject; topic: Topic | undefined; words: Item[] }

function subjectsOf(part: Part, { item: group, cues }: Group, extreme: Extreme | undefined): GroupSubject[] {
  const strong = openTopics(part).filter((item) => !isWeak(item) && item !== group)
  const named = strong.flatMap((item): GroupSubject[] => {
    const topic = topicOfItem(part, item)
    return topic ? [{ subject: topic.subject, topic, words: [item] }] : []
  })
  if (named.length > 0) return named
  if (extreme?.topic) return [{ subject: extreme.topic.subject, topic: extreme.topic, words: [] }]
  const others = part.items.filter((item) => item !== group && !cues.includes(item))
  const size = others.find((item) => isCue(item, 'size', 'ground') || (isWeak(item) && /^area/i.test(item.text)))
  const isLargest = extreme?.items.some(({ text }) => /^(larg|big|small|great)/i.test(text)) === true
  const frames = others.find((item) => isCue(item, 'frames'))
  if (frames && !size) return [{ subject: { kind: 'index', figure: 'frames' }, topic: undefined, words: [frames] }]
  if (!size && !isLargest) return []
  return [{ subject: { kind: 'index', figure: 'area' }, topic: undefined, words: size ? [size] : [] }]
}

const isMeasureCue = (item: Item) =>
  isCue(item, 'statistic') && ['mean', 'per_km2', 'sum', 'mode'].includes(item.statistic)

type Wished = { group: Group; extreme: Extreme | undefined; topic: Topic | undefined }

function operationOf(part: Part, { group, extreme, topic }: Wished): Operation {
  const { by, kind, n } = group
  const isTotal = topic === undefined || isAdded(topic)
  const measure = measureOf(part, extreme, isTotal)
  const base = { op: 'by', by, ...(measure === undefined ? {} : { measure }) } as const
  if (!extreme) return base
  // "The highest elevation by state" is that of a frame of each state.
  if (kind === 'list' && !isTotal) return { ...base, measure: extreme.end === 'high' ? 'max' : 'min' }
  return {
    ...base,
    order: extreme.end === 'high' ? 'highest' : 'lowest',
    ...(n === undefined && kind === 'choice' ? {} : { n: n ?? 1 }),
  }
}

function measureOf(part: Part, extreme: Extreme | undefined, isTotal: boolean): GroupMeasure | undefined {
  if (!isTotal) return undefined
  const has = (statistic: string) => part.items.some((item) => isCue(item, 'statistic') && item.statistic === statistic)
  if (extreme?.isDensity === true || has('per_km2')) return 'per_km2'
  return has('mean') ? 'mean' : undefined
}

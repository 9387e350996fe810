/** Reads the conditions on frames: "with more than 5,000 people", "without a clinic", "urban", "above 300 m". */
import { asksOfUnits } from './by-unit.js'
import type { Topic } from './topic.js'
import { cueAt, type Bound } from './cues.js'
import type { Item } from './items.js'
import { addCondition, has, isWeak, openTopics, topicOfItem, type Part } from './part.js'
import type { Test } from './reading.js'
import { isCue, topicMeasuredIn, topicNamed } from './topics.js'
import { plainWordsOf } from './words.js'

export function readConditions(part: Part): void {
  const selects = has(part, 'frames') || has(part, 'unit') || asksOfUnits(part)
  part.items.forEach((item, i) => {
    if (isCue(item, 'bound')) readBound(part, item, i, selects)
    else if (isCue(item, 'none') && (selects || isOfOthers(part, i))) readNone(part, item, i)
    else if (!selects) return
    else if (isCue(item, 'any')) readAny(part, item, i)
    else if (isCue(item, 'adjective') && /^(none|any)$/.test(item.adjective.form)) readEmpty(part, item)
  })
}

const NUMERIC = (item: Item | undefined) =>
  item?.kind === 'number'
    ? item.number
    : item?.kind === 'year'
      ? String(item.year)
      : isCue(item, 'number')
        ? item.number
        : undefined

type BoundItem = Item & { kind: 'cue'; cue: 'bound'; bound: Bound }

function readBound(part: Part, item: BoundItem, i: number, selects: boolean): void {
  const found = spanOfBound(part, i)
  if (!found) return
  if (isOfYears(part, found.span)) return void part.used.add(item)
  const { from, to, span, units } = found
  const owner = ownerOfBound(part, found.next, i, units)
  // "Without access to a market within 9 minutes".
  const place = owner?.item ? part.items.indexOf(owner.item) : -1
  const negation = [i - 1, place - 1]
    .map((at) => part.items[at])
    .find((each) => isCue(each, 'not') || isCue(each, 'none'))
  const isNegated = negation !== undefined
  if (!owner) {
    for (const each of span) part.used.add(each)
    return void part.missed.push(span.map((each) => each.text).join(' '))
  }
  const others = openTopics(part).filter((each) => each !== owner.item && !isWeak(each))
  // "Do more than 2,000 people live here" asks for the total: no frames are selected.
  const asksWhether = !selects && others.length === 0 && isCue(part.items[0], 'do', 'link', 'any')
  if (!asksWhether && isOfThings(part, owner.topic, i, selects)) return
  for (const each of span) part.used.add(each)
  if (negation) part.used.add(negation)
  if (asksWhether) return
  // "The lowest number of shops above 180" asks for shops.
  const isAsked = !selects && others.length === 0 && part.items.some(isExtremeCue)
  if (owner.item && !isAsked) part.used.add(owner.item)
  addCondition(part, item, owner.topic, boundTest(isNegated ? OPPOSITE[item.bound] : item.bound, from, to))
}

const isExtremeCue = (item: Item) =>
  isCue(item, 'statistic') || (isCue(item, 'adjective') && item.adjective.form === 'most')

const OPPOSITE: Record<Bound, Bound> = {
  above: 'atMost',
  atLeast: 'below',
  below: 'atLeast',
  atMost: 'above',
  between: 'between',
  equal: 'equal',
}

/** "Households with more than 5 people", "schools with 300 pupils": a bound on each thing selects no frames. */
function isOfThings(part: Part, topic: Topic, i: number, selects: boolean): boolean {
  const { subject } = topic
  const before = part.items[i - 1]
  const thing = part.items[i - 2]
  if (isCue(before, 'any') && thing?.kind === 'topic' && !isWeak(thing)) return true
  if (subject.kind !== 'property') return false
  return !selects || part.items.some((each) => isOwner(part, each, subject.layerId))
}

const isOwner = (part: Part, item: Item, layerId: string) => {
  const subject = topicOfItem(part, item)?.subject
  return subject?.kind === 'features' && subject.layerId === layerId
}

/** "Between 2025 and 2026" says when, and no number of anything. */
const isOfYears = (part: Part, span: readonly Item[]) => {
  const numbers = span.filter((item) => item.kind === 'year' || NUMERIC(item) !== undefined)
  return (
    numbers.length === 2 &&
    numbers.every(({ kind }) => kind === 'year') &&
    !isCue(part.items[part.items.indexOf(numbers[1] as Item) + 1], 'measure')
  )
}

type BoundSpan = { from: string; to: string | undefined; span: Item[]; units: string | undefined; next: number }

/** The bound and its numbers and units: "between 5 and 9 km", "3 or more", "8 minutes or less". */
function spanOfBound({ items }: Part, i: number): BoundSpan | undefined {
  const after = items.slice(i + 1)
  const from = NUMERIC(after[0])
  if (from === undefined) {
    const start = isCue(items[i - 1], 'measure') ? i - 2 : i - 1
    const number = NUMERIC(items[start])
    if (number === undefined) return undefined
    const span = items.slice(start, i + 1)
    const measure = isCue(items[i + 1], 'measure') ? items[i + 1] : undefined
    const units = unitsIn(measure ? [...span, measure] : span)
    return {
      from: number,
      to: undefined,
      span: measure ? [...span, measure] : span,
      units,
      next: i + (measure ? 2 : 1),
    }
  }
  const length = isCue(after[1], 'and') ? 3 : isCue(after[2], 'and') ? 4 : 1
  const to = length === 1 ? undefined : NUMERIC(after[length - 1])
  const end = i + 1 + (to === undefined ? 1 : length)
  const next = isCue(items[end], 'measure', 'extent') ? end + 1 : end
  const span = items.slice(i, next)
  return { from, to, span, units: unitsIn(span), next }
}

/** "850m" has its unit in itself. */
function unitsIn(span: readonly Item[]): string | undefined {
  for (const item of span.toReversed()) {
    if (isCue(item, 'measure')) return item.units
    // "Within 2 km of a school": a length of a thing has the same words.
    if (isCue(item, 'extent')) return item.text
    if (item.kind !== 'number' || item.unit === '') continue
    const cue = cueAt([item.unit], 0)?.cue
    return cue?.cue === 'measure' ? cue.units : item.unit
  }
  return undefined
}

type Owner = { topic: Topic; item?: Item }

function ownerOfBound(part: Part, place: number, i: number, units: string | undefined): Owner | undefined {
  const next = isCue(part.items[place], 'of', 'from') ? place + 1 : place
  const following = part.items[next]
  const topic = topicOfItem(part, following)
  const measured = units === undefined ? undefined : topicMeasuredIn(part.catalogue, units)
  if (following && topic) {
    if (units === undefined || topic.unit === units) return { topic, item: following }
    // "Within 30 minutes of a market": minutes measure the time to a market, and to nothing else.
    const isTo = next > place && measured && isNamedBy(part, measured, following)
    return isTo ? { topic: measured, item: following } : undefined
  }
  const earlier = part.items
    .slice(0, i)
    .findLast((each) => each.kind === 'topic' && !each.isWeak && !part.used.has(each))
  const before = topicOfItem(part, earlier)
  if (earlier && before && (units === undefined || before.unit === units)) return { topic: before, item: earlier }
  return measured && { topic: measured }
}

const isNamedBy = ({ catalogue }: Part, { names }: Topic, item: Item) => {
  const words = new Set(names.flatMap(plainWordsOf).map(catalogue.stemOf))
  return plainWordsOf(item.text).some((word) => words.has(catalogue.stemOf(word)))
}

function boundTest(bound: Bound, from: string, to: string | undefined): Test {
  if (bound === 'between') return { test: 'bounds', atLeast: from, ...(to === undefined ? {} : { atMost: to }) }
  if (bound === 'equal') return { test: 'bounds', atLeast: from, atMost: from }
  return { test: 'bounds', [bound]: from }
}

/** "People without a school" live on frames without one. Schools without pupils are other schools. */
function isOfOthers(part: Part, i: number): boolean {
  const layerOf = (item: Item | undefined) => {
    const subject = item?.kind === 'topic' && !item.isWeak ? topicOfItem(part, item)?.subject : undefined
    return subject && 'layerId' in subject ? subject.layerId : undefined
  }
  const layer = layerOf(part.items[i + 1])
  const before = part.items.slice(0, i).flatMap((item) => (part.used.has(item) ? [] : (layerOf(item) ?? [])))
  return layer !== undefined && before.length > 0 && !before.includes(layer) && !isBounded(part, i + 1)
}

function readNone(part: Part, item: Item, i: number): void {
  const next = part.items[i + 1]
  if (next?.kind === 'class') {
    const { topic, value } = next.meanings[0] ?? {}
    if (topic && value !== undefined) addCondition(part, next, topic, { test: 'not_class', value })
    part.used.add(next)
    part.used.add(item)
    return
  }
  const owner =
    next?.kind === 'topic' ? next : part.items.slice(0, i).findLast((each) => each.kind === 'topic' && !each.isWeak)
  addTest(part, owner, { test: 'none' }, item)
  followList(part, owner, { test: 'none' })
}

/** "no clinic or school", "a clinic and a school". */
function followList(part: Part, owner: Item | undefined, test: Test): void {
  if (!owner) return
  const place = part.items.indexOf(owner)
  const next = part.items[place + 2]
  // "Frames without a clinic, and the population": the comma begins another wish.
  const joint = part.items[place + 1]
  if (isCue(joint, 'or', 'and') && joint.mark === '' && next?.kind === 'topic') addTest(part, next, test, next)
}

/** "With population above 7,000": the bound is the condition. */
const isBounded = ({ items }: Part, i: number) => isCue(items[i + 1], 'bound') && NUMERIC(items[i + 2]) !== undefined

function readAny(part: Part, item: Item, i: number): void {
  const next = part.items[i + 1]
  const isOfFrames = part.items
    .slice(0, i)
    .some((each) => isCue(each, 'frames') || (each.kind === 'topic' && part.used.has(each)))
  if (next?.kind !== 'topic' || next.isWeak || !isOfFrames || isBounded(part, i + 1)) return
  addTest(part, next, { test: 'any' }, item)
  followList(part, next, { test: 'any' })
}

function readEmpty(part: Part, item: Item & { kind: 'cue'; cue: 'adjective' }): void {
  const topic = item.adjective.names
    .split(',')
    .map((name) => topicNamed(part.catalogue, [name]))
    .find((each) => each !== undefined)
  if (!topic) return
  part.used.add(item)
  // "Excluding empty frames" selects those that have any.
  const before = part.items[part.items.indexOf(item) - 1]
  const isNegated = isCue(before, 'not')
  if (isNegated) part.used.add(before)
  addCondition(part, item, topic, { test: isNegated === (item.adjective.form === 'none') ? 'any' : 'none' })
}

function addTest(part: Part, owner: Item | undefined, test: Test, cue: Item): void {
  const topic = topicOfItem(part, owner)
  if (!owner || !topic || part.used.has(owner)) return
  part.used.add(owner)
  part.used.add(cue)
  addCondition(part, cue, topic, test)
}

/** Reads the conditions of a clause: "with more than 5,000 people", "without a clinic", "urban", "above 300 m". */
import { has, layerOf, refuse, topicOf, use, type AskedClass, type Clause } from './clause.js'
import { isCue, isPointed, isUnit, type Item } from './items.js'
import type { Bound } from './phrases.js'
import { isAdded, isOfUnits, topicsMeasuredIn } from './topic.js'
import type { Test } from './reading.js'
import type { Topic } from './topic.js'
import { multiplyDecimal } from '../../decimal.js'
import { plainWordsOf } from './words.js'

export function readConditions(clause: Clause): void {
  clause.items.forEach((item, i) => {
    if (clause.used.has(item)) return
    if (isCue(item, 'bound')) readBound(clause, i)
    else if (isCue(item, 'without') && !isCue(clause.items[i + 2], 'bound')) readRecorded(clause, i, { test: 'none' })
    else if (isCue(item, 'with') && selects(clause, i)) readRecorded(clause, i, { test: 'any' })
  })
}

type Head = Item | undefined
/** The thing that a condition at a place is about: "frames", "wards", "schools". */
const headOf = ({ items, used }: Clause, i: number): Head =>
  items
    .slice(0, i)
    .findLast((item) => isUnit(item) || isCue(item, 'frames') || (item.kind === 'topic' && !used.has(item)))

const isAskedUnit = ({ items }: Clause, unit: Item) => {
  const before = items[items.indexOf(unit) - 1]
  return !isCue(before, 'in', 'of', 'from', 'not', 'except', 'by', 'per', 'each')
}

/** "Do these frames have schools" asks for schools, "which of these frames have schools" for frames. */
function selects(clause: Clause, i: number): boolean {
  const { items } = clause
  const next = items[i + 1]
  // "The wards with their population" are all wards.
  if (next?.kind !== 'topic' || isCue(items[i + 2], 'bound') || /^(their|its)$/.test(next.before)) return false
  const head = headOf(clause, i)
  if (!head) return false
  if (head.kind === 'topic') return isOfOthers(clause, head, next)
  const asks = items.slice(0, items.indexOf(head)).some((item) => isCue(item, 'which', 'count', 'share', 'names'))
  return asks || (!isPointed(head) && !isCue(items[0], 'do') && !(head.before === 'the' && items[0] === head))
}

/** "People without a school" live on frames without one. Schools without pupils are other schools. */
function isOfOthers(clause: Clause, head: Item, owner: Item): boolean {
  const [thing, recorded] = [topicOf(clause, head), topicOf(clause, owner)]
  return (
    thing !== undefined &&
    isAdded(thing) &&
    thing.type !== 'features' &&
    recorded?.type === 'features' &&
    layerOf(thing) !== layerOf(recorded)
  )
}

function readRecorded(clause: Clause, i: number, test: Test): void {
  const { items } = clause
  const cue = items[i] as Item
  const next = items[i + 1]
  if (next?.kind === 'class') return
  if (next?.kind !== 'topic') {
    // "How many frames have no", "a school is not here": nothing says what is missing.
    return
  }
  const head = headOf(clause, i)
  if (head?.kind === 'topic' && !isOfOthers(clause, head, next)) return refuse(clause, cue, next)
  addTest(clause, [cue, next], topicOf(clause, next), test)
  // "No clinic or school", "a clinic and a school". A comma or "any" begins another wish.
  const [joint, other] = [items[i + 2], items[i + 3]]
  const goesOn =
    isCue(joint, 'and', 'or') && joint.mark === '' && other?.kind === 'topic' && !isCue(items[i + 4], 'bound')
  if (!goesOn) return
  // Frames that pass one of two tests are not selected.
  if (test.test === 'any' && isCue(joint, 'or')) return refuse(clause, joint, other)
  addTest(clause, [joint, other], topicOf(clause, other), test)
}

/** The condition is on the units of the clause where it asks for units, else on frames. */
function addTest(clause: Clause, items: Item[], topic: Topic | undefined, test: Test): void {
  if (!topic) return refuse(clause, ...items)
  const condition = { subject: topic.subject, test }
  const head = headOf(clause, clause.items.indexOf(items[0] as Item))
  if (isUnit(head)) {
    // Units that pass two tests, or in which others are counted, are not computed.
    if (clause.having || head === undefined || !isAskedUnit(clause, head)) return refuse(clause, ...items)
    clause.having = { condition, item: head }
    return use(clause, ...items)
  }
  clause.where.push(condition)
  use(clause, ...items)
}

const OPPOSITE: Record<Bound, Bound> = {
  above: 'atMost',
  atLeast: 'below',
  below: 'atLeast',
  atMost: 'above',
  between: 'between',
  equal: 'equal',
}

type BoundSpan = { from: string; to?: string | undefined; units: string | undefined; span: Item[]; next: number }

function readBound(clause: Clause, i: number): void {
  const { items } = clause
  const item = items[i]
  const found = spanOfBound(items, i)
  if (!isCue(item, 'bound') || !found) return
  const { from, to, units, span, next } = found
  // "Between 2025 and 2026" says when.
  if (
    span.filter((each) => each.kind === 'number').every((each) => each.isYear) &&
    units === undefined &&
    to !== undefined
  )
    return use(clause, item)
  const owner = ownerOfBound(clause, { i, next, units })
  if (!owner) return refuse(clause, ...span)
  const head = headOf(clause, i)
  // "Do more than 2,000 people live here" asks for the total.
  if (isCue(items[0], 'do') && !has(clause, 'frames') && !head) return use(clause, ...span)
  if (isOfThings(clause, i, { owner, head })) return refuse(clause, ...span, owner.item)
  const [before] = [items[i - 1]]
  const isNegated = isCue(before, 'not', 'without', 'except')
  const bound = isNegated || owner.isNegated ? OPPOSITE[item.bound] : item.bound
  const test = boundTest(bound, scaled(from, owner), to && scaled(to, owner))
  addTest(clause, [...span, ...owner.items, ...(isNegated ? [before] : [])], owner.topic, test)
  // "Over 5 km from a school and a clinic".
  const place = owner.item ? items.indexOf(owner.item) : -1
  const [joint, other] = owner.isWay && place > i ? [items[place + 1], items[place + 2]] : []
  if (!isCue(joint, 'and', 'or') || joint.mark !== '' || other?.kind !== 'topic' || isCue(items[place + 3], 'bound'))
    return
  const way = isCue(joint, 'and') ? wayTo(clause, other, units) : undefined
  // Frames that pass one of two tests are not selected.
  if (!way) return refuse(clause, joint, other)
  addTest(clause, [joint, other], way.topic, test)
}

const scaled = (number: string, { scale }: Owner) => (scale === undefined ? number : multiplyDecimal(number, scale))

/** Bounds in metres and miles are compared with distances in km. */
const KILOMETRES: Readonly<Record<string, string>> = { m: '0.001', miles: '1.609344' }

/** "5 km of a clinic", "30 minutes of a market": the topic in that unit that has the name measures the way there. */
function wayTo(clause: Clause, item: Item, units: string | undefined): Pick<Owner, 'topic' | 'scale'> | undefined {
  if (units === undefined) return undefined
  const named = (unit: string) => topicsMeasuredIn(clause.catalogue, unit).find((each) => isNamedBy(clause, each, item))
  const topic = named(units)
  if (topic) return { topic }
  const [scale, distance] = [KILOMETRES[units], named('km')]
  return scale !== undefined && distance ? { topic: distance, scale } : undefined
}

/** "Households with more than 5 people", "schools with 300 pupils": a bound on each thing selects no frames. */
function isOfThings(clause: Clause, i: number, { owner, head }: { owner: Owner; head: Head }): boolean {
  if (owner.topic.subject.kind === 'property') return !isCue(head, 'frames') && !isUnit(head)
  if (head?.kind !== 'topic' || head === owner.item) return false
  return clause.items.slice(clause.items.indexOf(head), i).some((item) => isCue(item, 'with'))
}

/** The bound and its numbers and units: "between 5 and 9 km", "3 or more", "8 minutes or less". */
function spanOfBound(items: readonly Item[], i: number): BoundSpan | undefined {
  const numberAt = (place: number) => {
    const item = items[place]
    return item?.kind === 'number' ? item : undefined
  }
  const unitAt = (place: number) => {
    const item = items[place]
    return isCue(item, 'measure') ? item.units : undefined
  }
  const first = numberAt(i + 1)
  if (!first) {
    const place = unitAt(i - 1) === undefined ? i - 1 : i - 2
    const number = numberAt(place)
    if (!number || !/^or /i.test(items[i]?.text ?? '')) return undefined
    const end = unitAt(i + 1) === undefined ? i + 1 : i + 2
    const units = unitAt(i - 1) ?? unitAt(i + 1) ?? ownUnit(number.unit)
    return { from: number.number, units, span: items.slice(place, end), next: end }
  }
  const joint = unitAt(i + 2) === undefined ? i + 2 : i + 3
  const second = isCue(items[i], 'bound') && items[i].bound === 'between' && isCue(items[joint], 'and') ? numberAt(joint + 1) : undefined // prettier-ignore
  const end = second ? joint + 2 : i + 2
  const next = unitAt(end) === undefined ? end : end + 1
  const units = unitAt(end) ?? unitAt(i + 2) ?? ownUnit((second ?? first).unit)
  return { from: first.number, to: second?.number, units, span: items.slice(i, next), next }
}

/** "850m" has its unit in itself. */
const ownUnit = (unit: string) => (unit === '' ? undefined : unit === 'min' || unit === 'mins' ? 'minutes' : unit)

type Owner = {
  topic: Topic
  item?: Item
  items: Item[]
  /** Turns the number of the question into the unit of the topic. */
  scale?: string
  /** It measures the way to the item. */
  isWay?: true
  isNegated?: boolean
}

/** The topic that the number is of: the one behind it, the one before it, or the one that has its unit. */
function ownerOfBound(
  clause: Clause,
  { i, next, units }: { i: number; next: number; units: string | undefined },
): Owner | undefined {
  const { items, catalogue, used } = clause
  const place = isCue(items[next], 'of', 'from') ? next + 1 : next
  const following = items[place]
  const topic = topicOf(clause, following)
  const way = following && place > next ? wayTo(clause, following, units) : undefined
  if (following && topic && !isOpen(items[next])) {
    if (units === undefined || topic.unit === units) return { topic, item: following, items: [following] }
    return way && { ...way, item: following, items: [following], isWay: true }
  }
  if (following && place > next && units !== undefined && /^(unknown|place)$/.test(following.kind))
    return way && { ...way, items: [following] }
  const before = items.slice(0, i).findLast((each) => each.kind === 'topic' && !used.has(each))
  const own = topicOf(clause, before)
  const isNear =
    before !== undefined &&
    items.slice(items.indexOf(before) + 1, i).every((each) => isCue(each, 'of', 'with', 'do', 'without', 'not'))
  if (before && own && isNear && (units === undefined || own.unit === units))
    return { topic: own, item: before, items: [before] }
  // "People with a clinic within 5 km", "no school within 2 km".
  const cue = before && items[items.indexOf(before) - 1]
  const wayBefore = before && isNear && isCue(cue, 'with', 'without') ? wayTo(clause, before, units) : undefined
  if (before && cue && wayBefore)
    return { ...wayBefore, item: before, items: [before, cue], isNegated: isCue(cue, 'without') }
  const [only, another] = units === undefined ? [] : topicsMeasuredIn(catalogue, units)
  return only && !another ? { topic: only, items: [] } : undefined
}

const isOpen = (item: Item | undefined) => item !== undefined && item.mark !== ''

const isNamedBy = ({ catalogue }: Clause, { names }: Topic, item: Item) => {
  const words = new Set(names.flatMap(plainWordsOf).map(catalogue.stemOf))
  return plainWordsOf(item.text).some((word) => words.has(catalogue.stemOf(word)))
}

function boundTest(bound: Bound, from: string, to: string | undefined): Test {
  if (bound === 'between') return { test: 'bounds', atLeast: from, ...(to === undefined ? {} : { atMost: to }) }
  if (bound === 'equal') return { test: 'bounds', atLeast: from, atMost: from }
  return { test: 'bounds', [bound]: from }
}

/** Classes are conditions where something else is asked for: "urban population", "people in forest". Returns the others. */
export function readClasses(clause: Clause, asksOther: boolean): AskedClass[] {
  const { items } = clause
  return items.flatMap((item, i) => {
    if (item.kind !== 'class' || clause.used.has(item)) return []
    const known = item.meanings.flatMap(({ topic, value }) =>
      value === undefined || topic.subject.kind !== 'attribute' ? [] : [{ topic, value }],
    )
    const named = items.flatMap((each) => (each.kind === 'topic' ? each.topics : []))
    const meaning =
      known.find(({ topic }) => named.includes(topic)) ?? known.find(({ topic }) => !isOfUnits(topic)) ?? known[0]
    if (!meaning) return []
    const before = isCue(items[i - 1], 'in', 'of') ? items[i - 2] : items[i - 1]
    const isNegated = isCue(before, 'not', 'without', 'except')
    use(clause, item, isNegated || isCue(before, 'or') ? before : undefined)
    for (const each of items) if (each.kind === 'topic' && each.topics.includes(meaning.topic)) use(clause, each)
    const isListed =
      (isCue(before, 'and') || item.mark === 'weak') && items[i - 2]?.kind === 'topic' && !isCue(items[i + 1], 'frames')
    if (!asksOther || isListed) return [{ ...meaning, isNegated }]
    clause.where.push({
      subject: meaning.topic.subject,
      test: { test: isNegated ? 'not_class' : 'class', value: meaning.value },
    })
    return []
  })
}

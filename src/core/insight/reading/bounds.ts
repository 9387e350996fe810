/** Reads bounds as conditions: "more than 5,000 people", "no school within 2 km", "under 3 km, 3 to 7 km and over 7 km". */
import { compareDecimals, multiplyDecimal } from '../../decimal.js'
import { addTest, type Clause, refuse, topicOf, use } from './clause.js'
import { isCue, isUnit, type Item, type ItemOf, matchAt } from './items.js'
import { type Owner, wayTo } from './names.js'
import type { Bound } from './phrases.js'
import type { Test } from '../../figures/index.js'
import { takeNegation } from './negation.js'
import { type Topic, topicsMeasuredIn } from './topic.js'

type BoundsTest = Extract<Test, { test: 'bounds' }>
type Range = { bound: Bound; from: ItemOf<'number'>; to: ItemOf<'number'> | undefined; span: Item[] }

/** "Between 5 and 9 km", "2 to 5 km", "8 minutes or less", "at most 3". A number alone goes on with the bound before it. */
const RANGE_PATTERNS = [
  'bound number measure? and number measure?',
  'bound|from? number measure? number measure?',
  'number measure? bound measure?',
  'bound number measure?',
  'number measure?',
].map((pattern) => pattern.split(' '))

/** Finds the ranges that commas and "and" join. In "in bands of under 3 km", the first bound says nothing. */
function rangesAt(items: readonly Item[], at: number): Range[] {
  const found: Range[] = []
  const lead = items[at]
  const isLed = isCue(lead, 'bound') && lead.bound === 'between' && isCue(items[at + 1], 'bound')
  for (let place = isLed ? at + 1 : at; ;) {
    const start = found.length > 0 && isCue(items[place], 'and') ? place + 1 : place
    const isNext = found.length === 0 || start > place || (items[place]?.mark ?? '') !== ''
    const range = isNext ? rangeAt(items, start, found.at(-1)) : undefined
    if (!range) return found
    found.push(range)
    place = start + range.span.length
  }
}

/** "Within 2 to 5 km" and "2-5 km" are between two bounds, as "between 2 and 5 km" is. */
function rangeAt(items: readonly Item[], at: number, last: Range | undefined): Range | undefined {
  for (const steps of RANGE_PATTERNS) {
    const span = matchAt(items, at, steps)
    const [from, to] = span?.filter((item) => item.kind === 'number') ?? []
    const [cue] = span?.filter((item) => isCue(item, 'bound')) ?? []
    // "3 or more clinics", "8+ km".
    const isYear = from?.isYear && !span?.some((item) => isCue(item, 'measure'))
    if (!span || !from || isYear || (cue && cue !== span[0] && !/^(or |\+)/i.test(cue.text))) continue
    const isRange = to && (to.start === from.end || to.before === 'to') && (!cue || /^within$/i.test(cue.text))
    const bound = isRange ? 'between' : (cue?.bound ?? (last?.to || to ? undefined : last?.bound))
    if (bound && (bound === 'between') === (to !== undefined)) return { bound, from, to, span }
  }
  return undefined
}

/** `span` has the words before the ranges, and the first item of the ranges. If the ranges make no list, the first is read alone. */
export function readBounds(clause: Clause, span: Item[], at: number): boolean {
  const all = rangesAt(clause.items, at + span.length - 1)
  const hasUnit = (ranges: Range[]) => ranges.some((range) => range.span.some((item) => unitOf(item) !== undefined))
  // "People within 3, 6 and 12 km": the first has the unit of the last.
  const lists = [all, all.slice(0, 1)].filter((ranges) => ranges.length > 0 && hasUnit(ranges) === hasUnit(all))
  return lists.some((ranges) => readRanges(clause, ranges, span.slice(0, -1), at))
}

const OPPOSITE: Record<Bound, Bound> = {
  above: 'atMost', atLeast: 'below', below: 'atLeast', atMost: 'above', between: 'between', equal: 'equal',
} // prettier-ignore

const opposite = (ranges: readonly Range[]) => ranges.map((range) => ({ ...range, bound: OPPOSITE[range.bound] }))
const isOfTwoSides = ({ bound }: Range) => bound === 'between' || bound === 'equal'

function readRanges(clause: Clause, ranges: readonly Range[], lead: readonly Item[], at: number): boolean {
  const { items, head } = clause
  const end = items.findIndex((item) => item === ranges.at(-1)?.span.at(-1)) + 1
  const negated = [...lead, ...ranges.flatMap((range) => range.span)].filter((item) => clause.negated.has(item))
  const isNegated = lead.some((item) => isCue(item, 'not', 'without', 'except')) || negated.length > 0
  const meant = isNegated ? opposite(ranges) : ranges
  const owners = ownersAt(clause, lead, { at, end, isList: ranges.length > 1 })
  const [found] = owners.flatMap((owner) => testsOf(clause, meant, owner) ?? [])
  if (!found) return false
  const { topic, tests, item, is, units } = found
  const place = item ? items.indexOf(item) : end - 1
  // "Over 300 m and under 2 km from a clinic" may be a height and a distance.
  if (ranges.length > 1 && units.size > 1 && place >= at) return false
  const start = place >= at ? at : place - (isCue(items[place - 1], 'by', 'each') ? 1 : 0)
  const span = items.slice(start, Math.max(end, place + 1))
  // "Do more than 2,000 people live here" asks for the total.
  if (isCue(items[0], 'do') && !head && is === 'topic') return use(clause, ...span.filter((each) => each !== item))
  // "Households with more than 5 people", "schools with 300 pupils": a bound on each thing selects no frames.
  const isProperty = topic.subject.kind === 'property' && !isCue(head, 'frames') && !isUnit(head)
  const isOfThings = head?.kind === 'topic' && isCue(items[at - 1], 'with') && is !== 'way'
  // "Over 1,000 people per km²", "more than 5 people per building" and "a density over 1,000" are rates, and no number of people.
  const [before, after, divisor] = [items[at - 1], items[start + span.length], items[start + span.length + 1]]
  const isRate = isCue(after, 'density', 'head') || (isCue(after, 'per') && divisor?.kind === 'topic')
  if (isCue(before, 'density')) return refuse(clause, [before, ...span])
  if (after && isRate && after.mark === '') return refuse(clause, [...span, after])
  // The average distance of a ward says nothing of "wards with no school within 2 km".
  const isInUnit = isUnit(head) && isCue(lead[0], 'with', 'without') && is === 'way'
  // A condition has one range of numbers: values below one bound and above another are two ranges.
  const isApart = isNegated && (ranges.length > 1 || ranges.some(isOfTwoSides))
  if (isProperty || isOfThings || isInUnit || isApart) return refuse(clause, span)
  if (clause.group && clause.group.item === item) clause.group = undefined
  if (is === 'way' && isCue(lead[0], 'with', 'without') && !isOfBefore(clause, at, ranges)) return refuse(clause, span)
  for (const test of tests) addTest(clause, span, topic, test)
  for (const each of negated) takeNegation(clause, each)
  const [test = tests[0] as BoundsTest, ...more] = tests
  if (more.length > 0) clause.ranges = clause.where.slice(-tests.length)
  const topicFor = (other: Item | undefined) =>
    more.length > 0 ? undefined : ownerOf(clause, { item: other, is: 'way' }, [...units][0])?.topic
  if (is === 'way' || more.length > 0) clause.last = { end: start + span.length, test, topicFor, isNegated }
  return true
}

/** "With neither a school nor a clinic within 5 km", "with a school but no clinic within 5 km": the distance is of both. */
function isOfBefore(clause: Clause, at: number, ranges: readonly Range[]): boolean {
  const { items, last } = clause
  const end = isCue(items[at - 1], 'and', 'or') ? at - 1 : at
  if (!last?.recorded || last.end !== end) return true
  const { condition, item } = last.recorded
  const isNone = condition.test.test === 'none'
  const own = testsOf(clause, isNone ? opposite(ranges) : ranges, { item, is: 'way' })
  const [test, more] = own?.tests ?? []
  if (!own || !test || more || (isNone && ranges.some(isOfTwoSides))) return false
  Object.assign(condition, { subject: own.topic.subject, test })
  return true
}

/** The topic is named, or measures the way to what is named, or is the only one in these units. */
type OwnerNamed = { item?: Item | undefined; is: 'topic' | 'way' | 'only' }
type Place = { at: number; end: number; isList: boolean }

/** "No school within 2 km", "elevation above 5 m", "2 km from a school", "3 schools", "people by elevation: under 5 m, 5 to 9 m". */
function ownersAt({ items, group }: Clause, lead: readonly Item[], { at, end, isList }: Place): OwnerNamed[] {
  const thing = lead.find(({ kind }) => kind === 'topic')
  const [after, next] = [items[end], items[end + 1]].map((item) => (item?.mark === '' ? item : undefined))
  if (thing && isCue(lead[0], 'with', 'without')) return [{ item: thing, is: 'way' }]
  if (thing) return after?.kind === 'topic' ? [] : [{ item: thing, is: 'topic' }]
  const isNamed = next?.kind === 'topic' || next?.kind === 'unknown'
  if (isCue(after, 'of', 'from')) return isNamed ? [{ item: next, is: 'topic' }, { item: next, is: 'way' }] : [] // prettier-ignore
  const before = isList || items[at - 1] === group?.item ? items[at - 1] : undefined
  return [{ item: after, is: 'topic' }, { item: before, is: 'topic' }, { is: 'only' }]
}

function ownerOf(clause: Clause, { item, is }: OwnerNamed, units: string | undefined): Owner | undefined {
  if (is === 'way') return item && units !== undefined ? wayTo(clause.catalogue, item.text, units) : undefined
  const ofUnits = units === undefined ? [] : topicsMeasuredIn(clause.catalogue, units)
  const [topic, other] = is === 'only' ? ofUnits.filter(({ isPaid }) => !isPaid) : [topicOf(clause, item)]
  return topic && !other && (units === undefined || topic.unit === units) ? { topic } : undefined
}

/** The topic that all numbers are of, and the test of each range. A unit may stand behind others: "3, 6 and 12 km". */
function testsOf(clause: Clause, ranges: readonly Range[], owner: OwnerNamed) {
  const units = new Set<string | undefined>()
  const topics = new Set<Topic | undefined>()
  const numbers = ranges.flatMap(({ span }) => span)
  const tests = ranges.map(({ bound, from, to = from }): BoundsTest => {
    const [first = '', last = ''] = [from, to].map((number) => {
      const unit = numbers.slice(numbers.indexOf(number)).map(unitOf).find((each) => each !== undefined) // prettier-ignore
      const { topic, scale = '1' } = ownerOf(clause, owner, unit) ?? {}
      units.add(unit)
      topics.add(topic)
      return multiplyDecimal(number.number, scale)
    })
    const isBetween = bound === 'between' || bound === 'equal'
    return isBetween ? { test: 'bounds', atLeast: first, atMost: last } : { test: 'bounds', [bound]: first }
  })
  const [topic] = topics
  return topic && topics.size === 1 ? { ...owner, topic, tests: apart(tests), units } : undefined
}

function unitOf(item: Item): string | undefined {
  if (isCue(item, 'measure')) return item.units
  return item.kind === 'number' && item.unit !== '' ? item.unit.replace(/^mins?$/, 'minutes') : undefined
}

/** "0-4, 4-8 km" share no frame, and "over 2 km and under 5 km" is one range. */
function apart(tests: readonly BoundsTest[]): BoundsTest[] {
  const [one, other, more] = tests
  const joined = one && other && !more ? (joinedTest(one, other) ?? joinedTest(other, one)) : undefined
  if (joined) return [joined]
  return tests.map((test) => {
    const { atLeast, ...rest } = test
    const isShared = atLeast !== undefined && tests.some((each) => each !== test && each.atMost === atLeast)
    return isShared ? { ...rest, above: atLeast } : test
  })
}

/** A lower bound alone, and a higher upper bound alone. */
function joinedTest(low: BoundsTest, high: BoundsTest): BoundsTest | undefined {
  const [from, to] = [low.above ?? low.atLeast, high.below ?? high.atMost]
  const isOneSided = (low.below ?? low.atMost ?? high.above ?? high.atLeast) === undefined
  return from && to && isOneSided && compareDecimals(from, to) < 0 ? { ...low, ...high } : undefined
}

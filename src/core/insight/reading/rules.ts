/**
 * One pass over the items of a clause. At each item, the first rule whose pattern fits gives roles to the items that it
 * matches: places, groups, ratios, conditions, and frames that are those of the call. The other items are asked for.
 */
import { multiplyDecimal } from '../../decimal.js'
import { isFree, layerOf, refuse, topicOf, use, type Clause, type Group } from './clause.js'
import { isCue, isPointed, isUnit, matchAt, type Item, type ItemOf } from './items.js'
import { topicNamed } from './names.js'
import type { Bound } from './phrases.js'
import type { NamedPlace, Test } from './reading.js'
import { isAdded, isOfUnits, topicsMeasuredIn, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

/** Returns false where the rule does not fit after all. */
type Rule = (clause: Clause, span: Item[], at: number) => boolean | void

const BOUNDS = ['bound number measure? and number measure?', 'bound number measure?', 'number measure? bound measure?']
const boundRules = BOUNDS.flatMap((bound) =>
  ['of|from topic|unknown', 'topic?'].map((owner): [string, Rule] => [
    `topic? of|with|do? not|without|except? ${bound} ${owner}`,
    readBound,
  ]),
)

const RULES = [
  ['in|of|from unit|class', readContext],
  ['not|except|bound|with|and|or|compare? in|of|from? unit? of? class|unknown unit?', readPlace],
  ['by|each|per unit|topic', readGroup],
  ['per number? topic', readRatio],
  ['ratio topic topic', readRatio],
  ['head', readRatio],
  ['with|without topic bound number measure?', readBound],
  ...boundRules,
  ['with|without detail? topic !bound', readRecorded],
  ['and|or topic !bound', readAlso],
  ['not|without|except|or|with|and|compare? in|of? class|detail', readClass],
  ['number? frames', readFrames],
  ['size', readArea],
].map(([pattern, rule]) => ({ steps: (pattern as string).split(' '), rule: rule as Rule }))

export function applyRules(clause: Clause): void {
  const { items } = clause
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    if (!isFree(clause, item)) continue
    let span: Item[] | undefined
    for (const { steps, rule } of RULES) {
      span = matchAt(items, i, steps)
      if (span?.every((each) => isFree(clause, each)) && rule(clause, span, i) !== false) break
      span = undefined
    }
    span ??= [item]
    clause.head = span.findLast((each) => isHead(clause, each)) ?? clause.head
    i += span.length - 1
  }
}

/** The thing that a condition is about. */
const isHead = (clause: Clause, item: Item) =>
  isFree(clause, item) && (item.kind === 'topic' || isUnit(item) || isCue(item, 'frames'))

/** "In this town", "in the state": the frames of the call are meant. */
function readContext(clause: Clause, span: Item[], at: number): boolean {
  const [, item] = span as [Item, Item]
  const after = clause.items[at + 2]
  const selects = isCue(after, 'with', 'without', 'bound', 'where')
  const isThe = item.before === 'the' && isUnit(item) && !matchAt(clause.items, at + 2, ['of?', 'class|unknown'])
  if (selects || !(isPointed(item) || isThe)) return false
  use(clause, ...span)
  return true
}

/** "In Marembe", "the LGA of Lakeside", "Marembe and Lakeside", "not in West Quay". */
function readPlace(clause: Clause, span: Item[], at: number): boolean {
  const { items, catalogue } = clause
  const place = span.findIndex(({ kind }) => kind === 'class' || kind === 'unknown')
  const item = span[place] as ItemOf<'class' | 'unknown'>
  const after = items[at + place + 1]
  if (isUnit(span[0]) && isCue(items[at - 1], 'which', 'by', 'each', 'count', 'per')) return false
  const unit = span.findLast(isUnit)
  const isListed = isCue(span[0], 'and', 'or', 'compare')
  const isBound = isCue(span[0], 'bound') && span[0].bound === 'between'
  const isPlaced =
    (isListed && items.slice(0, at).some(isName)) ||
    isBound ||
    span.some((each) => isCue(each, 'in', 'of', 'from', 'not', 'except'))
  if (isCue(span[0], 'bound') && !isBound) return false
  const isCapital = /^\p{Lu}/u.test(item.text)
  const meanings = item.kind === 'class' ? item.meanings : []
  const categories = meanings.flatMap(({ topic, value }) =>
    value !== undefined && isOfUnits(topic) ? [{ subject: topic.subject, label: topic.label, value }] : [],
  )
  const other = meanings.find(({ topic }) => !isOfUnits(topic) && topic.subject.kind === 'attribute')
  if (item.kind === 'unknown' && !(isPlaced && isCapital && catalogue.places.has(plainWordsOf(item.text).join(' '))))
    return false
  if (item.kind === 'class' && categories.length === 0) return false
  // "Alder Hills Road" is no place, and "central" is a word.
  const isFeature =
    after?.kind === 'topic' && after.mark === '' && after.start === item.end && /^\p{Lu}.*[^s]$/u.test(after.text)
  const isWord = !unit && !isPlaced && !isCapital && !other && item.end - item.start === 1
  if (isFeature || isWord) return refuse(clause, item) ?? true
  // Without a place before it, a word of both kinds is a place only where something is asked of it.
  const topics = items.flatMap((each) => (each.kind === 'topic' ? [each.topics] : []))
  const isClass = !isCapital || topics.length === 0 || topics.some((each) => other && each.includes(other.topic))
  if (!unit && other && isClass && !isPlaced) return false
  const isExcluded = isCue(span[0], 'not', 'except')
  const otherwise = unit || other?.value === undefined ? {} : { otherwise: { subject: other.topic.subject, test: { test: 'class', value: other.value } } } as const // prettier-ignore
  const named: NamedPlace = { text: item.text, categories, ...(unit ? { unit: unit.text } : {}), ...(isListed ? { isListed } : {}), ...otherwise, ...(isExcluded ? { isExcluded } : {}) } // prettier-ignore
  clause.places.push(named)
  return use(clause, ...span) ?? true
}

const isName = ({ kind }: Item) => kind === 'class' || kind === 'unknown'

const UNIT_SUBJECTS = ['state', 'lga', 'ward'] as const

/** A unit of the index, or a category of the catalogue: its classes are groups. */
export function groupAt(clause: Clause, item: Item | undefined): Group | undefined {
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
function readGroup(clause: Clause, [cue, item]: Item[]): boolean {
  const group = groupAt(clause, item)
  if (group && !clause.group) {
    clause.group = { ...group, isList: true, isPer: isCue(cue, 'per') }
    use(clause, cue, item)
  } else if (isUnit(item)) refuse(clause, cue, item)
  else return false
  return true
}

/** "Shops per household", "per 1,000 people", "per capita", "the ratio of shops to households". */
function readRatio(clause: Clause, span: Item[]): void {
  const item = span.at(-1)
  const number = span.find(({ kind }) => kind === 'number')
  const other = isCue(item, 'head') ? topicNamed(clause.catalogue, 'population') : topicOf(clause, item)
  if (!other || !isAdded(other)) return refuse(clause, span[0], number, item)
  if (!isCue(item, 'head')) use(clause, number, item)
  const isMany = number?.kind === 'number' && Number(number.number) > 1
  clause.ratio = { other: other.subject, ...(isMany ? { times: number.number } : {}) }
}

/** "People without a school" live on frames without one. Schools without pupils are other schools. */
function isOfOthers(clause: Clause, head: Item, owner: Item | undefined): boolean {
  const [thing, recorded] = [topicOf(clause, head), topicOf(clause, owner)]
  const isOther = recorded?.type === 'features' && layerOf(thing) !== layerOf(recorded)
  return isOther && thing !== undefined && isAdded(thing) && thing.type !== 'features'
}

/** "With a school", "without a clinic", "with a secondary school". */
function readRecorded(clause: Clause, span: Item[], at: number): boolean {
  const { head } = clause
  const [item, detail] = [span.at(-1), span.find((each) => each.kind === 'detail')]
  const layer = layerOf(topicOf(clause, item))
  const own = detail?.meanings.find(({ topic }) => layerOf(topic) === layer)
  const test: Test = own
    ? { test: 'class', value: own.value ?? 'true' }
    : { test: isCue(span[0], 'with') ? 'any' : 'none' }
  const isOfHead = head?.kind === 'topic' && !isOfOthers(clause, head, item)
  // "Do these frames have schools" asks for schools. "The wards with their population" are all wards.
  if (test.test !== 'none' && (!head || isOfHead || /^(their|its)$/.test(item?.before ?? ''))) return false
  if (detail && (!own || !isCue(span[0], 'with') || isUnit(head))) return false
  clause.last = {
    end: at + span.length,
    test,
    topicFor: (other) => (isOfHead || own ? undefined : topicOf(clause, other)),
  }
  addTest(clause, span, own?.topic ?? clause.last.topicFor(item), test)
  return true
}

/** "No clinic or school", "over 5 km from a school and a clinic". Frames that pass one of two tests are not selected. */
function readAlso(clause: Clause, span: Item[], at: number): boolean {
  const { last } = clause
  if (last?.end !== at) return false
  const isEither = isCue(span[0], 'or') && last.test.test !== 'none'
  addTest(clause, span, isEither ? undefined : last.topicFor(span[1]), last.test)
  return true
}

/** The condition is on the units of the clause where it asks for units, else on frames. */
function addTest(clause: Clause, items: (Item | undefined)[], topic: Topic | undefined, test: Test): void {
  const { head, having, where } = clause
  if (!topic) return refuse(clause, ...items)
  const condition = { subject: topic.subject, test }
  if (isUnit(head)) {
    const before = clause.items[clause.items.indexOf(head) - 1]
    // Units that pass two tests, or in which others are counted, are not computed.
    if (having || isCue(before, 'in', 'of', 'from', 'not', 'except', 'by', 'per', 'each'))
      return refuse(clause, ...items)
    clause.having = { condition, item: head }
  } else where.push(condition)
  use(clause, ...items)
}

const OPPOSITE: Record<Bound, Bound> = {
  above: 'atMost', atLeast: 'below', below: 'atLeast', atMost: 'above', between: 'between', equal: 'equal',
} // prettier-ignore

/** "More than 5,000 people", "elevation above 300 m", "within 2 km of a school", "no school within 2 km", "3 or more clinics". */
function readBound(clause: Clause, span: Item[], at: number): boolean {
  const { items, head: last } = clause
  const numbers = span.filter((item) => item.kind === 'number')
  const bound = span.find((item) => isCue(item, 'bound'))
  const [from, to] = numbers
  if (!isCue(bound, 'bound') || !from || (to && bound.bound !== 'between')) return false
  if (span.indexOf(from) < span.indexOf(bound) && !/^or /i.test(bound.text)) return false
  const measure = span.find((item) => isCue(item, 'measure'))
  const units = isCue(measure, 'measure') ? measure.units : ownUnit((to ?? from).unit)
  // "Between 2025 and 2026" says when.
  if (to && units === undefined && numbers.every(({ isYear }) => isYear)) return use(clause, bound) ?? true
  const first = span.slice(0, span.indexOf(bound)).find(({ kind }) => kind === 'topic')
  const after = span.at(-1)?.kind === 'number' || isCue(span.at(-1), 'measure', 'bound') ? undefined : span.at(-1)
  // Nothing measures the way to a unit.
  const isOfUnit = isCue(items[at + span.length], 'of', 'from')
  const owner = isOfUnit ? undefined : ownerOf(clause, span, { before: first, after, units })
  const own = span.filter((item) => item !== first && (item !== after || owner?.item === after))
  if (!owner) return refuse(clause, ...own) ?? true
  const head = first && owner.item !== first ? first : last
  if (head === first) clause.head = head
  // "Do more than 2,000 people live here" asks for the total.
  if (isCue(items[0], 'do') && !head && !owner.isWay)
    return use(clause, ...own.filter((item) => item !== after)) ?? true
  // "Households with more than 5 people", "schools with 300 pupils": a bound on each thing selects no frames.
  const isProperty = owner.topic.subject.kind === 'property' && !isCue(head, 'frames') && !isUnit(head)
  const isOfThings = head?.kind === 'topic' && items.slice(items.indexOf(head), at + span.indexOf(bound)).some((item) => isCue(item, 'with')) // prettier-ignore
  if (isProperty || (isOfThings && !owner.isWay)) return refuse(clause, ...own, owner.item) ?? true
  const isNegated = own.some((item) => isCue(item, 'not', 'without', 'except'))
  const scaled = (number: string) => (owner.scale === undefined ? number : multiplyDecimal(number, owner.scale))
  const test = boundTest(isNegated ? OPPOSITE[bound.bound] : bound.bound, scaled(from.number), to && scaled(to.number))
  addTest(clause, [...own, owner.item], owner.topic, test)
  if (owner.isWay)
    clause.last = { end: at + span.length, test, topicFor: (other) => other && wayTo(clause, other, units)?.topic }
  return true
}

/** "850m" has its unit in itself. */
const ownUnit = (unit: string) => (unit === '' ? undefined : unit === 'min' || unit === 'mins' ? 'minutes' : unit)

function boundTest(bound: Bound, from: string, to: string | undefined): Test {
  if (bound === 'between') return { test: 'bounds', atLeast: from, ...(to === undefined ? {} : { atMost: to }) }
  if (bound === 'equal') return { test: 'bounds', atLeast: from, atMost: from }
  return { test: 'bounds', [bound]: from }
}

/** `scale` turns the number of the question into the unit of the topic. `isWay`: it measures the way to the item. */
type Owner = { topic: Topic; item?: Item; scale?: string; isWay?: true }
type Sides = { before: Item | undefined; after: Item | undefined; units: string | undefined }

/** The topic that the number is of: the one behind it, the one before it, or the one that has its unit. */
function ownerOf(clause: Clause, span: readonly Item[], { before, after, units }: Sides): Owner | undefined {
  const fits = (topic: Topic | undefined) => topic !== undefined && (units === undefined || topic.unit === units)
  const [own, next] = [topicOf(clause, before), topicOf(clause, after)]
  const isReached = isCue(span.at(-2), 'of', 'from')
  const isInside = isCue(span[0], 'with', 'without')
  const reached = isReached ? after : isInside ? before : undefined
  const way = reached && wayTo(clause, reached, units)
  if (next && after && fits(next)) return { topic: next, item: after }
  if (after || (reached && !fits(own))) return way && reached && { ...way, item: reached, isWay: true }
  if (own && before && fits(own)) return { topic: own, item: before }
  const [only, another] = units === undefined ? [] : topicsMeasuredIn(clause.catalogue, units)
  return only && !another ? { topic: only } : undefined
}

/** Bounds in metres and miles are compared with distances in km. */
const KILOMETRES: Readonly<Record<string, string>> = { m: '0.001', miles: '1.609344' }

/** "5 km of a clinic", "30 minutes of a market": the topic in that unit that has the name measures the way there. */
export function wayTo({ catalogue }: Clause, item: Item, units = ''): Pick<Owner, 'topic' | 'scale'> | undefined {
  const wanted = plainWordsOf(item.text).map(catalogue.stemOf)
  const named = (unit: string) =>
    topicsMeasuredIn(catalogue, unit).find(({ names }) => {
      const words = names.flatMap(plainWordsOf).map(catalogue.stemOf)
      return wanted.some((word) => words.includes(word))
    })
  const topic = named(units)
  const [scale, distance] = [KILOMETRES[units], topic ? undefined : named('km')]
  return topic ? { topic } : scale !== undefined && distance ? { topic: distance, scale } : undefined
}

/** A class waits: it is a condition where something else is asked for. */
function readClass(clause: Clause, span: Item[]): void {
  const item = span.at(-1) as ItemOf<'class' | 'detail'>
  clause.classes.push({ item, span, isNegated: isCue(span[0], 'not', 'without', 'except') })
}

/** The frames of the call are no selection: "in these frames", "these 9 frames". */
function readFrames(clause: Clause, span: Item[], at: number): void {
  const { items } = clause
  const [first] = span as [Item]
  const frames = span.at(-1)
  const place = items.findLastIndex((each, k) => k < at && each.kind !== 'class')
  const [before, further, after] = [items[place], items[place - 1], items[at + span.length]]
  // "Population of frame 325098003".
  if (after?.kind === 'number') return
  const isPart = isCue(before, 'of') && isCue(further, 'count', 'which', 'share', 'not')
  if (first !== frames && isPointed(first)) use(clause, first)
  if (isPart || isCue(before, 'count', 'which', 'share', 'names')) return
  const isBehind = isCue(before, 'in', 'of', 'from')
  const selects = isCue(after, 'with', 'without', 'bound', 'where', 'max', 'min', 'not')
  // "People in frames with a school": the frames are those of the condition.
  const isExtreme = items.slice(at + span.length, at + span.length + 2).some((item) => isCue(item, 'max', 'min'))
  const isWhere = isBehind && !isExtreme && items.slice(0, at).some(({ kind }) => kind === 'topic')
  if (isWhere) clause.head = frames
  if (isPointed(first) || isWhere || (isBehind && !selects)) use(clause, frames)
}

/** "An overview of the area", "does this area have". */
function readArea(clause: Clause, [item]: Item[], at: number): void {
  const { items } = clause
  const isArea = item !== undefined && /^area$/i.test(item.text) && (isPointed(item) || item.before === 'the')
  const isBehind = isCue(items[at - 1], 'in', 'of', 'profile', 'with', 'do')
  if (isArea && (isBehind || items.some(({ kind }) => kind === 'topic'))) use(clause, item)
}

/**
 * One pass over the items of a clause. At each item, the first rule whose pattern fits gives roles to the items that it
 * matches: places, groups, ratios, conditions, and frames that are those of the call. The other items are asked for.
 */
import { UNIT_LEVELS } from '../../place.js'
import { defined } from '../../defined.js'
import { readBounds } from './bounds.js'
import { addTest, type Clause, type GroupAsked, has, isFree, refuse, topicOf, use } from './clause.js'
import { isCalled, isCue, isPlural, isPointed, isUnit, isWhatAbout, type Item, type ItemOf, matchAt } from './items.js'
import { topicNamed } from './names.js'
import { isOfPlaces, takeNegation } from './negation.js'
import type { Condition } from './reading.js'
import type { Test } from '../../figures/index.js'
import { areBandsOf, isAdded, isOfUnits, layerOf, type Topic } from './topic.js'

/** Returns false where the rule does not fit after all. */
type Rule = (clause: Clause, span: Item[], at: number) => boolean

const RULES: readonly [pattern: string, rule: Rule][] = [
  ['in|of|from unit|class', readContext],
  ['in|of|from|sum unit not|except|and', readOtherUnits],
  ['bound|with|and|or|compare|not|without|except? in|of|from? unit? of|names? class|unknown unit?', readPlace],
  ['by|each|per unit|topic', readGroup],
  ['per number? topic', readRatio],
  ['ratio topic topic', readRatio],
  ['head', readRatio],
  ['number share? interval', readLevel],
  ['bound number and number', readYears],
  ['with|where|in? bound number|half share? of? topic', readPart],
  ['bound number share?', readPart],
  ['with|without topic not|without|except? bound|number', readBounds],
  ['topic of|with|do? not|without|except? bound|number', readBounds],
  ['not|without|except? bound|number', readBounds],
  ['not|without|except? bound number measure?', refuse],
  ['with|without detail? topic !bound', readRecorded],
  ['and|or|compare|without? with? topic !bound', readAlso],
  ['share class class? frames? !topic', readWhole],
  ['not|without|except|or|with|and|compare? in|of? class|detail', readClass],
  ['number? frames', readFrames],
  ['size', readArea],
  ['do topic', readVerb],
  ['unit', readWholeUnit],
]
const rules = RULES.map(([pattern, rule]) => ({ steps: pattern.split(' '), rule }))

export function applyRules(clause: Clause): void {
  const { items } = clause
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    if (!isFree(clause, item)) continue
    let span: Item[] | undefined
    for (const { steps, rule } of rules) {
      span = matchAt(items, i, steps)
      if (span?.every((each) => isFree(clause, each)) && rule(clause, span, i)) break
      span = undefined
    }
    span ??= [item]
    clause.head = span.findLast((each) => isHead(clause, each)) ?? clause.head
    i += span.length - 1
  }
}

/** The thing that a condition is about. */
const isHead = (clause: Clause, item: Item) =>
  isFree(clause, item) && (item.kind === 'topic' || isUnit(item) || isCue(item, 'frames', 'ground'))

/** "In this town", "in the state": the frames of the call are meant. */
function readContext(clause: Clause, span: Item[], at: number): boolean {
  const [, item] = span as [Item, Item]
  const after = clause.items[at + 2]
  const selects = isCue(after, 'with', 'without', 'bound', 'where')
  const isThe = item.before === 'the' && isUnit(item) && !matchAt(clause.items, at + 2, ['of|names?', 'class|unknown'])
  return !selects && (isPointed(item) || isThe) && readUnitAsked(clause, span)
}

/** "The entire state", "the state's population", "how many schools does the state have". */
function readWholeUnit(clause: Clause, [item]: Item[], at: number): boolean {
  if (!item) return false
  const isThe = isPointed(item) || item.before === 'the'
  const isOwner = isThe && /['’]s$/.test(item.text)
  const isOne =
    !isPlural(item) && (/^(whole|entire)$/.test(item.before) || (isThe && isCue(clause.items[at - 1], 'do')))
  return (isOwner || isOne) && readUnitAsked(clause, [item])
}

/**
 * The frames asked are a part of the unit, or have parts of several: no figure is of the whole of it. "This ward"
 * points at frames that are listed or drawn.
 */
function readUnitAsked(clause: Clause, span: Item[]): boolean {
  const item = span.at(-1)
  const level = UNIT_LEVELS.find((unit) => isCue(item, unit))
  const isOfFrames = item && clause.level === undefined && isPointed(item) && !/^(whole|entire)$/.test(item.before)
  return level === undefined || level === clause.level || isOfFrames ? use(clause, ...span) : refuse(clause, span)
}

/** "In Marembe", "the LGA of Lakeside", "Marembe and Lakeside", "not in Marembe". */
function readPlace(clause: Clause, span: Item[], at: number): boolean {
  const { items } = clause
  const [first] = span
  if (span.some((each) => isCue(each, 'names') && !isCalled(each))) return false
  const isAbout = isWhatAbout(items[at - 1], first) && !isUnit(span.at(-1)) && span.length === 2
  if (isUnit(first) && !isAbout && isCue(items[at - 1], 'which', 'by', 'each', 'count', 'per')) return false
  // "The LGAs of Marembe" and "Marembe wards" are units in a place.
  if (isUnit(span.at(-1)) && isPlural(span.at(-1))) span.pop()
  if (isCue(first, 'bound') && first.bound !== 'between') return false
  const place = span.findIndex(({ kind }) => kind === 'class' || kind === 'unknown')
  const item = span[place] as ItemOf<'class' | 'unknown'>
  const negation = clause.negated.get(item)
  const isOfUnitsIn = span.some((each, i) => isUnit(each) && isPlural(each) && isCue(span[i + 1], 'in', 'of', 'from'))
  if (!negation && (isOfUnitsIn || isCue(first, 'not', 'without', 'except'))) return false
  const meanings = item.kind === 'class' ? item.meanings : []
  const categories = meanings.flatMap(({ topic, value }) =>
    value !== undefined && isOfUnits(topic) ? [{ subject: topic.subject, label: topic.label, value }] : [],
  )
  const other = meanings.find(({ topic }) => !isOfUnits(topic) && topic.subject.kind === 'attribute')
  if (other && isOfClasses(clause, span, at, other.topic)) return false
  const unit = span.findLast(isUnit)
  // "Compared with Lakeside".
  const isListed = !negation && (isCue(first, 'and', 'or', 'compare') || isCue(items[at - 1], 'compare'))
  // "More than 5 km from a school in Lakeside and more than 10 km from a clinic in Marembe", "in 2025 in Lakeside and in 2026 in Marembe".
  const last = items.findLastIndex((each, k) => k < at && clause.places.some(({ text }) => each.text.startsWith(text)))
  const since = items.slice(last + 1, at)
  const isOfOther = since.some((each) => isCue(each, 'bound') || (each.kind === 'number' && each.isYear))
  // "Outside Central LGA of Marembe" is in Marembe or not.
  const isOfExcluded = clause.places.at(-1)?.isExcluded === true && last >= 0 && since.every(isUnit)
  if (isCue(first, 'of') && isOfExcluded) return refuse(clause, span)
  if (last >= 0 && isOfOther && since.some((each) => isCue(each, 'and', 'compare'))) return refuse(clause, span)
  const isPlaced =
    span.some((each) => isCue(each, 'in', 'of', 'from', 'bound')) ||
    negation?.isPlaced ||
    (isListed && items.slice(0, at).some(({ kind }) => kind === 'class' || kind === 'unknown'))
  if (categories.length === 0) return false
  // "Alder Hills Road" is no place.
  const after = items[at + place + 1]
  if (after?.kind === 'topic' && after.mark === '' && after.start === item.end && /^\p{Lu}.*[^s]$/u.test(after.text))
    return refuse(clause, [item])
  const bare = unit || isPlaced ? undefined : bareNameOf(clause, item, other?.topic)
  if (bare === 'class') return false
  // "Central" is a place, and "central" is a word.
  if (bare === 'word') return refuse(clause, [item])
  const test: Test | undefined = unit || other?.value === undefined ? undefined : { test: 'class', value: other.value }
  clause.places.push({
    text: item.text.replace(/['’]s$/, ''),
    categories,
    ...defined({
      unit: isPlural(unit) ? undefined : unit?.text,
      isListed: isListed || undefined,
      isExcluded: takeNegation(clause, item) || undefined,
    }),
    ...(test && other ? { otherwise: { subject: other.topic.subject, test } } : {}),
  })
  clause.hasWhole ||= isBesideWhole(clause, span, at)
  return use(clause, ...span)
}

/** "How many schools, and what about Lakeside", "here and in Lakeside": both are asked for. */
function isBesideWhole({ items, places }: Clause, span: readonly Item[], at: number): boolean {
  const [first] = span
  const [before, after] = [items[at - 1], items[at + span.length]]
  const earlier = items.slice(0, at)
  const isMore = isCue(first, 'and') || isWhatAbout(before, first)
  const isOther = earlier.some((each) => each.kind === 'class' || each.kind === 'unknown' || isCue(each, 'bound', 'with', 'without', 'compare')) // prettier-ignore
  return isMore && places.length === 1 && !isOther && earlier.some(({ kind }) => kind === 'topic') && (!after || after.mark !== '') // prettier-ignore
}

/**
 * Without a place before it, a word of both kinds is a place only where something is asked of it, or it stands alone.
 */
function bareNameOf({ items, negated }: Clause, item: Item, other: Topic | undefined): 'place' | 'class' | 'word' {
  const isCapital = /^\p{Lu}/u.test(item.text)
  const topics = items.filter((each) => each.kind === 'topic')
  // "Tell me about N'Dara", "N'Dara?"
  const isAlone = items.every((each) => each === item || isCue(each, 'profile', 'which', 'and'))
  const isAsked = isAlone || (topics.length > 0 && !topics.some((each) => other && each.topics.includes(other)))
  if (other && (negated.has(item) || !isCapital || !isAsked)) return 'class'
  return isCapital || item.end - item.start > 1 ? 'place' : 'word'
}

/** "People in mangrove areas", "in wetland or mangrove", "not in mangrove or wetland". */
function isOfClasses({ items, negated }: Clause, span: readonly Item[], at: number, topic: Topic): boolean {
  const place = span.findIndex(({ kind }) => kind === 'class')
  const isClass = (item: Item | undefined) =>
    item?.kind === 'class' && !isOfPlaces(item) && item.meanings.some((meaning) => meaning.topic === topic)
  const before = items[at - 1]
  const isBehind = before?.kind === 'class' && before.meanings.some((meaning) => meaning.topic === topic)
  const { list = [] } = (span[place] && negated.get(span[place])) ?? {}
  return (
    (isCue(span[0], 'and', 'or') && isBehind) || list.some(isClass) || isCue(items[at + place + 1], 'frames', 'ground')
  )
}

/**
 * "In all states except Marembe" (where "in all" is a phrase of its own) are the other states, and not a figure of
 * each.
 */
function readOtherUnits(clause: Clause, span: Item[]): boolean {
  const [, unit, negator] = span
  const isOfList = [...clause.negated.values()].some((each) => each.negator === negator)
  return isOfList && isPlural(unit) && use(clause, ...span.slice(0, 2))
}

/** A unit of the index, or a category of the catalogue: its classes are groups. */
export function groupAt(clause: Clause, item: Item | undefined): GroupAsked | undefined {
  if (isUnit(item)) {
    const figure = UNIT_LEVELS.find((unit) => isCue(item, unit))
    if (figure) return { by: { kind: 'index', figure }, item, topic: item.topics[0] }
    const own = item.topics.find(({ label }) => label.toLowerCase() === item.text.toLowerCase())
    return own && { by: own.subject, item, topic: own }
  }
  const topic = topicOf(clause, item)
  const isGroup = topic?.type === 'category' && topic.summary === 'mode' && topic.subject.kind === 'attribute'
  return item && isGroup ? { by: topic.subject, item, topic } : undefined
}

/** "People by distance to a clinic": each of its bands. Frames are ranked or listed by the distance itself. */
function bandsAt(clause: Clause, item: Item | undefined, after: Item | undefined): GroupAsked | undefined {
  const { items, catalogue } = clause
  const number = topicOf(clause, item)
  const isOfOther = has(clause, 'count') || items.some((each) => each.kind === 'topic' && each !== item)
  if (!item || !number || !isOfOther || isCue(after, 'and', 'or')) return undefined
  if (has(clause, 'rank', 'top', 'bottom', 'max', 'min', 'names')) return undefined
  const bands = catalogue.topics.find((each) => layerOf(each) === layerOf(number) && areBandsOf(each, number))
  return bands && { by: bands.subject, item, topic: bands }
}

/** "By ward", "in each state", "per LGA", "by settlement class". */
function readGroup(clause: Clause, span: Item[], at: number): boolean {
  const [, item] = span
  const group = groupAt(clause, item) ?? bandsAt(clause, item, clause.items[at + 2])
  if (!group || clause.group) return isUnit(item) && refuse(clause, span)
  clause.group = { ...group, isList: true }
  return use(clause, ...span)
}

/** "Shops per household", "per 1,000 people", "per capita", "the ratio of shops to households". */
function readRatio(clause: Clause, span: Item[]): boolean {
  const item = span.at(-1)
  const number = span.find(({ kind }) => kind === 'number')
  const other = isCue(item, 'head') ? topicNamed(clause.catalogue, 'population') : topicOf(clause, item)
  if (!other || !isAdded(other)) return refuse(clause, span)
  const isMany = number?.kind === 'number' && Number(number.number) > 1
  clause.ratio = { other: other.subject, ...(isMany ? { times: number.number } : {}) }
  return use(clause, number, isCue(item, 'head') ? undefined : item)
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
  const isNegated = item !== undefined && clause.negated.has(item)
  // "Not within 5 km of a school nor a clinic".
  if (isNegated && clause.last?.end === at && clause.last.test.test === 'bounds') return false
  const test: Test = own
    ? { test: 'class', value: own.value ?? 'true' }
    : { test: isCue(span[0], 'with') && !isNegated ? 'any' : 'none' }
  const isOfHead = head?.kind === 'topic' && !isOfOthers(clause, head, item)
  // "Do these frames have schools" asks for schools. "The wards with their population" are all wards.
  if (test.test !== 'none' && (!head || isOfHead || /^(their|its)$/.test(item?.before ?? ''))) return false
  if (detail && (!own || !isCue(span[0], 'with') || isNegated || isUnit(head))) return false
  const topicFor = (other: Item | undefined) => (isOfHead || own ? undefined : topicOf(clause, other))
  const tests = clause.where.length
  takeNegation(clause, item)
  addTest(clause, span, own?.topic ?? topicFor(item), test)
  const condition = clause.where[tests]
  const recorded = item && condition && !own ? { condition, item } : undefined
  clause.last = { end: at + span.length, test, topicFor, recorded, isNegated: test.test === 'none' }
  return true
}

/**
 * "No clinic or school", "over 5 km from a school and a clinic". Frames that pass one of two tests are not selected. A
 * comma alone goes on with a negated list: "without a school, a clinic or a road".
 */
function readAlso(clause: Clause, span: Item[], at: number): boolean {
  const { last } = clause
  const item = span.at(-1)
  const isNegated = last?.isNegated === true && item !== undefined && clause.negated.has(item)
  if (last?.end !== at || !(isNegated || isCue(span[0], 'and', 'or', 'compare'))) return false
  if (isNegated) takeNegation(clause, item)
  const isEither = isCue(span[0], 'or') && last.test.test !== 'none' && !isNegated
  addTest(clause, span, isEither ? undefined : last.topicFor(item), last.test)
  last.end += isNegated ? span.length : 0
  return true
}

/** "Wards where less than half of the people live within 5 km of a clinic", "with a share of people in forest above 20 %". */
function readPart(clause: Clause, span: Item[], at: number): boolean {
  const [bound] = span.filter((item) => isCue(item, 'bound'))
  const [part] = span.filter((item) => item.kind === 'number' || isCue(item, 'half'))
  const isPercent = part?.kind === 'number' && (part.unit === '%' || span.some((item) => isCue(item, 'share')))
  const before = clause.items.slice(0, at)
  const unit = before.findIndex(isUnit)
  // "People in the wards where less than half ..." asks for people.
  if (unit < 0 || before.slice(0, unit).some(({ kind }) => kind === 'topic')) return false
  const isShare = span.at(-1)?.kind === 'topic' || before.some((item) => isCue(item, 'share'))
  const percent = isCue(part, 'half') ? '50' : isPercent ? part.number : undefined
  const isOneSided = bound && bound.bound !== 'between' && bound.bound !== 'equal'
  if (!isOneSided || percent === undefined || clause.part || !isShare) return false
  const items = span.filter(({ kind }) => kind !== 'topic')
  clause.part = { test: { test: 'bounds', [bound.bound]: percent }, items }
  return use(clause, ...items)
}

/** "Between 2025 and 2026" says when. */
function readYears(clause: Clause, span: Item[]): boolean {
  return span.every((item) => item.kind === 'cue' || (item.kind === 'number' && item.isYear)) && use(clause, span[0])
}

/** "The 95 % interval". No other level is computed. */
function readLevel(clause: Clause, span: Item[]): boolean {
  const [level, ...more] = span
  if (level?.kind !== 'number' || level.number !== '95') return refuse(clause, span)
  return use(clause, level, ...more.slice(0, -1))
}

/** "What share of towns have a clinic", "of towns and of villages": one of the towns, and none of the clinics. */
function readWhole(clause: Clause, span: Item[], at: number): boolean {
  const { items } = clause
  const conditionsOf = (classes: readonly Item[]) =>
    classes.flatMap((item): Condition[] => {
      const meanings = item.kind === 'class' ? item.meanings : []
      const own = meanings.find(({ topic, value }) => value !== undefined && !isOfUnits(topic))
      return own?.value === undefined ? [] : [{ subject: own.topic.subject, test: { test: 'class', value: own.value } }]
    })
  const classes = span.filter(({ kind }) => kind === 'class')
  const conditions = [conditionsOf(classes)]
  if (conditions[0]?.length !== classes.length) return false
  for (;;) {
    const more = matchAt(items, at + span.length, ['and', 'share|of?', 'class', 'frames?'])
    if (!more) break
    conditions.push(conditionsOf(more))
    span.push(...more)
  }
  const [next, other] = items.slice(at + span.length)
  const isTested = items.slice(at + span.length).some((item) => isCue(item, 'with', 'without', 'bound', 'where'))
  const isOfClass = isCue(next, 'in', 'of') && other !== undefined && conditionsOf([other]).length > 0
  if (!isTested && !isOfClass) return false
  clause.whole = { conditions, items: span }
  clause.head = classes.at(-1)
  return true
}

/** A class waits: it is a condition where something else is asked for. */
function readClass(clause: Clause, span: Item[]): boolean {
  const item = span.at(-1) as ItemOf<'class' | 'detail'>
  // "And what share of Marembe's".
  if (/['’]s$/.test(item.text) && item === clause.items.at(-1)) return refuse(clause, span)
  const isNegated = takeNegation(clause, item) || isCue(span[0], 'not', 'without', 'except')
  return clause.classes.push({ item, span, isNegated }) > 0
}

/** The frames of the call are no selection: "in these frames", "these 9 frames". */
function readFrames(clause: Clause, span: Item[], at: number): boolean {
  const { items } = clause
  const [first] = span as [Item]
  const frames = span.at(-1)
  // "Urban, peri-urban and rural frames".
  const isOfList = (each: Item, k: number) =>
    each.kind === 'class' || (isCue(each, 'and', 'or') && items[k - 1]?.kind === 'class')
  const place = items.findLastIndex((each, k) => k < at && !isOfList(each, k))
  const [before, further, after] = [items[place], items[place - 1], items[at + span.length]]
  // "Population of frame 325098003".
  if (after?.kind === 'number') return false
  const isPart = isCue(before, 'of') && isCue(further, 'count', 'which', 'share', 'not')
  if (first !== frames && isPointed(first)) use(clause, first)
  if (isPart || isCue(before, 'count', 'which', 'share', 'names')) return true
  const isBehind = isCue(before, 'in', 'of', 'from')
  const selects = isCue(after, 'with', 'without', 'bound', 'where', 'max', 'min', 'not')
  // "People in frames with a school": the frames are those of the condition.
  const isExtreme = items.slice(at + span.length, at + span.length + 2).some((item) => isCue(item, 'max', 'min'))
  const isWhere = isBehind && !isExtreme && items.slice(0, at).some(({ kind }) => kind === 'topic')
  if (isWhere) clause.head = frames
  return isPointed(first) || isWhere || (isBehind && !selects) ? use(clause, frames) : true
}

/** "An overview of the area", "does this area have". */
function readArea(clause: Clause, [item]: Item[], at: number): boolean {
  const { items } = clause
  const isArea = item !== undefined && /^area$/i.test(item.text) && (isPointed(item) || item.before === 'the')
  const isBehind = isCue(items[at - 1], 'in', 'of', 'profile', 'with', 'do')
  const isOfCall = isBehind || (!isCue(items[at - 1], 'share') && items.some(({ kind }) => kind === 'topic'))
  return isArea && isOfCall && use(clause, item)
}

/** "How many wards does this cover": a name may be a verb. */
function readVerb(clause: Clause, [, item]: Item[], at: number): boolean {
  return /^(this|it|they)$/.test(item?.before ?? '') && at + 2 === clause.items.length && use(clause, item)
}

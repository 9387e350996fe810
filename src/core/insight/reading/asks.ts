/** Makes the asks of a clause: its rules read what stands beside the topics, then the rest fills the slots of the table. */
import type { Catalogue } from './catalogue.js'
import {
  emptyClause,
  has,
  isFree,
  isJoined,
  openTopics,
  refuse,
  topicOf,
  topicsOf,
  use,
  yearOf,
  type AskedClass,
  type Clause,
  type WholeLevel,
} from './clause.js'
import { isCue, isUnit, type Item } from './items.js'
import { topicNamed, wayTo } from './names.js'
import { readNegations, refuseNegations } from './negation.js'
import { asksOf } from './operations.js'
import type { Slot } from './rows.js'
import type { Ask, Condition } from './reading.js'
import { applyRules, groupAt } from './rules.js'
import { hasYear, isAdded, isOfUnits, layerOf, sameSubject, type Topic } from './topic.js'

export function readClause(catalogue: Catalogue, items: readonly Item[], level?: WholeLevel): Clause {
  const clause = emptyClause(catalogue, items, level)
  readNegations(clause)
  applyRules(clause)
  // "Within 5 km of a clinic compared with within 5 km of a school".
  if (has(clause, 'compare') && !has(clause, 'frames') && clause.where.length > 1) clause.ranges = [...clause.where]
  const details = classesOfFeatures(clause)
  readAdjectives(clause)
  readNearness(clause)
  readOwner(clause)
  readGroupOfClause(clause)
  const classes = [...details, ...classesOfFrames(clause, details)]
  const topics = readTopics(clause, classes[0]?.topic ?? clause.extreme.topic)
  addAsks(clause, topics, classes)
  readYearsOfClause(clause)
  refuseNegations(clause)
  return clause
}

/** "Steepest", "most populous", "how crowded", and "the highest frame". */
function readAdjectives(clause: Clause): void {
  const { items, catalogue, extreme } = clause
  items.forEach((item, i) => {
    const before = items[i - 1]
    const isExtreme = isCue(before, 'max', 'min')
    if (!isCue(item, 'adjective')) return
    const named = openTopics(clause).filter(({ isDataset }) => !isDataset)
    const [other] = named.flatMap((each) => topicsOf(clause, each))
    const isDense = item.name === 'population density'
    // "How dense are the buildings".
    const density = isDense && other ? topicNamed(catalogue, `${other.unit} density`) : undefined
    const own = density ?? (isDense && other && !isAdded(other) ? other : topicNamed(catalogue, item.name))
    const topic = own ?? (isDense ? topicNamed(catalogue, 'population') : undefined)
    if (!topic || !(density || !other || sameSubject(other.subject, topic.subject))) return
    if (density) use(clause, ...named)
    use(clause, item, isExtreme || isCue(before, 'how', 'or') ? before : undefined)
    extreme.words.push(item)
    if (!other || density) extreme.topic = topic
    extreme.isDense ||= own === undefined
    const opposite = item.side === 'max' ? 'min' : 'max'
    if (item.isMost || isExtreme) extreme.end = isCue(before, 'min') ? opposite : item.side
  })
  items.forEach((item, i) => {
    // "Do most people live here", "the lowest estimate of the population".
    const isMost =
      !has(clause, 'which') && /^most$/i.test(item.text) && /^(is|are|do|does|did|was|were)$/.test(item.before)
    const isOther = isMost || /^estimates?\b/i.test(items[i + 1]?.text ?? '')
    if (isCue(item, 'max', 'min') && isOther) refuse(clause, [item])
  })
  const cue = items.find((item) => isCue(item, 'max', 'min') && isFree(clause, item))
  if (isCue(cue, 'max', 'min')) extreme.end ??= cue.cue
  // "The highest frame".
  const isOther = clause.classes.length + openTopics(clause).length > 0 || has(clause, 'share')
  if (/^(highest|lowest)$/i.test(cue?.text ?? '') && !isOther) extreme.topic ??= topicNamed(catalogue, 'elevation')
}

/** "Which frame is closest to a market": the least of what measures the way there. */
function readNearness(clause: Clause): void {
  const { items, extreme } = clause
  const relation = items.find(
    (item) => isCue(item, 'relation') && /^(nearest|closest|farthest|furthest)$/i.test(item.text),
  )
  const [thing, other] = openTopics(clause)
  const way =
    relation && thing && (wayTo(clause.catalogue, thing.text, 'minutes') ?? wayTo(clause.catalogue, thing.text))
  if (!way || other || extreme.topic || !items.some((item) => isCue(item, 'frames') || isUnit(item))) return
  use(clause, relation, thing)
  const end = /^(nearest|closest)$/i.test(relation.text) ? 'min' : 'max'
  clause.extreme = { topic: way.topic, end, words: [relation] }
}

/** "How many beds do the clinics have" and "which clinic has the most beds" ask for beds alone. */
function readOwner(clause: Clause): void {
  const { items } = clause
  const topics = openTopics(clause)
  const owned = topics.find((item) => topicOf(clause, item)?.subject.kind === 'property')
  const layer = layerOf(topicOf(clause, owned))
  const owners = topics.filter(
    (item) => topicOf(clause, item)?.type === 'features' && layerOf(topicOf(clause, item)) === layer,
  )
  if (!owned || has(clause, 'rank', 'top', 'bottom', 'by')) return
  const ends = items.filter((item) => isCue(item, 'max', 'min') && isFree(clause, item))
  const before = items.slice(0, items.indexOf(owned)).findLast((item) => !isCue(item, 'amount'))
  const isJoint = owners.some((owner) => isJoined(clause, owner, owned) || isJoined(clause, owned, owner))
  if (!isJoint && ends.every((end) => end === before)) use(clause, ...owners)
}

/** Other figures than the number of features. */
const MORE = [
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
] as const
const isFlagTopic = ({ classes }: Topic) => classes.length > 0 && classes.every((value) => /^(true|false)$/.test(value))

/**
 * "Primary schools", "schools without boarding". Figures of some features alone, such as "boarding schools per 1,000
 * people", are not computed, nor are features that are of two classes at once.
 */
function classesOfFeatures(clause: Clause): AskedClass[] {
  const [owner, other] = openTopics(clause)
  const topic = topicOf(clause, owner) ?? featuresOfClass(clause)
  const named = clause.classes.flatMap(({ span, item, isNegated }) => {
    const meaning = item.kind === 'detail' && item.meanings.find((each) => layerOf(each.topic) === layerOf(topic))
    return meaning ? [{ ...meaning, span, isNegated }] : []
  })
  const [first] = named
  const asksMore =
    has(clause, ...MORE) || clause.items.some((item) => isUnit(item) || (isCue(item, 'frames') && isFree(clause, item)))
  if (!first || topic?.type !== 'features' || other || asksMore || named.some((each) => each.topic !== first.topic))
    return []
  const isWord = first.value === undefined && !isFlagTopic(first.topic)
  // The schools that are not primary are several classes.
  if ((isWord && named.length > 1) || (!isFlagTopic(first.topic) && named.some(({ isNegated }) => isNegated))) return []
  use(clause, owner, ...named.flatMap(({ span }) => span))
  // "The surface of the roads" is the most common one.
  if (isWord) clause.extreme.topic = first.topic
  // "Not boarding" is a class of its own.
  const valueOf = ({ value = 'true', isNegated }: (typeof named)[number]) =>
    isNegated ? String(value !== 'true') : value
  return isWord ? [] : named.map((each) => ({ topic: each.topic, value: valueOf(each), isNegated: false }))
}

/** "How many hospitals": a class of clinics alone. */
function featuresOfClass({ catalogue, items, classes: [first, ...more] }: Clause): Topic | undefined {
  const detail =
    first?.item.kind === 'detail' ? first.item.meanings.find(({ value }) => value !== undefined) : undefined
  const isAlone = more.length === 0 && !items.some(({ kind }) => kind === 'topic' || kind === 'class')
  if (!detail || !isAlone) return undefined
  return catalogue.topics.find((each) => each.type === 'features' && layerOf(each) === layerOf(detail.topic))
}

/** Classes are conditions where something else is asked for: "urban population", "people in forest". Returns the others. */
function classesOfFrames(clause: Clause, details: readonly AskedClass[]): AskedClass[] {
  const { items, extreme, where } = clause
  const named = items.flatMap((item) => (item.kind === 'topic' ? item.topics : []))
  const found = clause.classes.flatMap(({ item, span, isNegated }) => {
    const known = item.meanings.flatMap(({ topic, value }) =>
      value !== undefined && (topic.subject.kind === 'attribute' || (isNegated && isOfUnits(topic)))
        ? [{ topic, value, isNegated }]
        : [],
    )
    const meaning =
      known.find(({ topic }) => named.includes(topic)) ?? known.find(({ topic }) => !isOfUnits(topic)) ?? known[0]
    if (!meaning) return []
    use(clause, ...span, ...items.filter((each) => each.kind === 'topic' && each.topics.includes(meaning.topic)))
    return [meaning]
  })
  // "How much of the land is cropland": land is the dataset of the class.
  const layers = found.map(({ topic }) => layerOf(topic))
  const isOther = openTopics(clause).some((item) => !item.isDataset || !layers.includes(layerOf(item.topics[0])))
  const asksOther =
    details.length + where.length > 0 || clause.whole !== undefined || extreme.topic !== undefined || isOther
  if (!asksOther) return found
  for (const { topic, value, isNegated } of found)
    where.push({ subject: topic.subject, test: { test: isNegated ? 'not_class' : 'class', value } })
  return []
}

/** "Which ward has the most people", "top 3 states", "which settlement class has the most people". */
function readGroupOfClause(clause: Clause): void {
  const { items, extreme } = clause
  const isCompared = extreme.end !== undefined && openTopics(clause).length > 1
  const isChosen = (item: Item, i: number) => isUnit(item) || (isCompared && isCue(items[i - 1], 'which'))
  const item = clause.having?.item ?? items.find((each, i) => isFree(clause, each) && isChosen(each, i))
  clause.group ??= groupAt(clause, item)
  if (clause.group?.item === item) use(clause, item)
}

/** The topics that are asked for: one, or a list. A second topic beside the first asks for something else. */
function readTopics(clause: Clause, implied: Topic | undefined): Topic[] {
  const { items, extreme } = clause
  const asked: Item[] = []
  for (const item of openTopics(clause)) {
    const [before, last] = [items[items.indexOf(item) - 1], asked.at(-1)]
    // "Not schools, clinics only"
    const isOther = openTopics(clause).some((each) => each !== item && isJoined(clause, item, each))
    if (isCue(before, 'not', 'except') && isOther) use(clause, before, item)
    else if (item.isDataset && implied && layerOf(topicOf(clause, item)) === layerOf(implied)) use(clause, item)
    else if (last && !isJoined(clause, last, item) && topicOf(clause, last) !== topicOf(clause, item))
      refuse(clause, [item])
    else asked.push(item)
  }
  use(clause, ...asked, ...items.filter((each, i) => isCue(each, 'or') && asked.includes(items[i + 1] as Item)))
  const topics = [...asked.flatMap((item) => topicsOf(clause, item)), ...(extreme.topic ? [extreme.topic] : [])]
  // "How much land" asks for its area.
  const isGround = (item: Item) => isCue(item, 'ground') && !has(clause, 'count', 'share')
  const unit = items.find((item) => (isUnit(item) || isGround(item)) && isFree(clause, item))
  const [named] = unit?.kind === 'cue' && topics.length === 0 ? unit.topics : []
  if (named) use(clause, unit)
  // "What is an urban index" asks what it means.
  const [opener, only, more] = items
  if (isCue(opener, 'which') && only && !more && /^an?$/.test(only.before)) refuse(clause, [only])
  return named ? [named] : topics
}

/** These phrases are accounted for by what stands beside them. */
const QUIET = new Set(['who', 'last year', 'of', 'in', 'from', 'and', 'do', 'with', 'adjective'])
const SLOTS: Readonly<Record<string, Slot>> = { head: 'per', ratio: 'per', ground: 'size' }
const STATISTICS = ['sum', 'mean', 'median', 'max', 'min'] as const

function addAsks(clause: Clause, topics: Topic[], classes: AskedClass[]): void {
  const { items, where, places, having, part, group, extreme, asks } = clause
  items.forEach((item, i) => {
    // "People who live here", "clinics only", "more people in one place or the other", "how steep is the ground".
    const isQuiet =
      (isCue(item, 'more') && places.length > 1) ||
      (isCue(item, 'who') && /^(topic|class|cue)$/.test(items[i - 1]?.kind ?? '') && !isCue(items[i - 1], 'and')) ||
      (isCue(item, 'only') && /^(topic|class)$/.test(items[i - 1]?.kind ?? '')) ||
      (isCue(item, 'ground') && topics.length + classes.length > 0)
    if (isQuiet) use(clause, item)
  })
  const cues = items.filter(
    (item) => item.kind === 'cue' && isFree(clause, item) && !QUIET.has(item.cue) && !/^what/i.test(item.text),
  )
  const number = items.find((item, i) => isCountOfGroups(clause, item, i))
  const n = number?.kind === 'number' ? Number(number.number) : undefined
  // "Highest and lowest slope" are two figures.
  const statistics = cues.filter((item) => STATISTICS.some((cue) => isCue(item, cue)))
  const isList = statistics.length > 1 && has(clause, 'and') && !group && topics.length === 1
  for (const own of isList ? statistics : [undefined]) {
    const slots = new Map<Slot, Item[]>()
    const fill = (slot: Slot, ...more: Item[]) => slots.set(slot, [...(slots.get(slot) ?? []), ...more])
    const end = isCue(own, 'max', 'min') ? own.cue : extreme.end
    for (const item of cues)
      if (item.kind === 'cue' && (!own || item === own || !statistics.includes(item)))
        fill(item.cue === end ? 'X' : (SLOTS[item.cue] ?? item.cue), item)
    if (topics.length > 0) fill('T', ...items.filter(({ kind }) => kind === 'topic'))
    if (classes.length > 0) fill('C', ...items.filter(({ kind }) => kind === 'class'))
    if (where.length + places.length > 0) fill('W')
    if (clause.whole && where.length > 0) fill('A')
    if (having) fill('H', having.item)
    if (part) fill('S', ...part.items)
    if (group) fill(group.isList ? 'G' : 'U', group.item)
    if (extreme.end && !slots.has('X') && !isList) fill('X', ...extreme.words)
    if (extreme.isDense) fill('density', ...extreme.words)
    if (number) fill('N', number)
    const made = asksOf({ clause, topics, classes, slots, end, n }).flatMap((ask) => withEach(ask, clause.ranges))
    if (places.length === 0 || clause.hasWhole) asks.push(...made)
    if (places.length > 0) asks.push(...made.map((ask) => ({ ...ask, places })))
  }
}

/** "Three frames", "top 5", "the 2 highest". */
function isCountOfGroups(clause: Clause, item: Item, i: number): boolean {
  const [before, after] = [clause.items[i - 1], clause.items[i + 1]]
  if (item.kind !== 'number' || item.isOrdinal || item.unit !== '' || item.isYear || !isFree(clause, item)) return false
  return isCue(before, 'top', 'bottom') || isUnit(after) || isCue(after, 'frames', 'max', 'min', 'adjective')
}

/** "In urban frames and in rural frames": no frame is both, so that each class has its own figure, and so has each range of a list. */
function withEach(ask: Ask, ranges: readonly Condition[]): Ask[] {
  const classes = ask.where.filter(({ test }) => test.test === 'class')
  const same = classes.filter(({ subject }) => classes[0] && sameSubject(subject, classes[0].subject))
  const list = ranges.length > 0 ? ranges : same
  if (list.length < 2) return [ask]
  return list.map((own) => ({ ...ask, where: ask.where.filter((each) => each === own || !list.includes(each)) }))
}

/** A year is accounted for by a topic that has it. */
function readYearsOfClause(clause: Clause): void {
  const { asks, catalogue, items } = clause
  const subjects = asks.flatMap(({ subject, operation }) => [
    subject,
    ...('other' in operation ? [operation.other] : []),
  ])
  const topics = catalogue.topics.filter((topic) => subjects.some((subject) => sameSubject(subject, topic.subject)))
  for (const item of items) {
    const year = yearOf(catalogue, item)
    if (year !== undefined && topics.some((topic) => hasYear(topic, year))) use(clause, item)
  }
}

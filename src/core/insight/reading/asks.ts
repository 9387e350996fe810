/** Makes the asks of a clause: fills its slots, finds the row of the table that fits, and builds the row's operation. */
import type { Catalogue } from './catalogue.js'
import { has, isJoined, layerOf, openTopics, refuse, topicsOf, use, type AskedClass, type Clause } from './clause.js'
import { readClasses, readConditions } from './conditions.js'
import { isCue, isPointed, isUnit, type Item } from './items.js'
import { operationOf, type Built } from './operations.js'
import type { Ask, NamedPlace, RatioTo } from './reading.js'
import {
  readAdjectives,
  readChosen,
  readDetails,
  readList,
  readOwners,
  readRatio,
  type Extremes,
  type Group,
} from './slots.js'
import { rowFor, type Slot } from './table.js'
import { hasYear, newestYear, sameSubject, type Topic } from './topic.js'

export function emptyClause(catalogue: Catalogue, items: readonly Item[]): Clause {
  const years = items.flatMap((item) =>
    item.kind === 'number' && item.isYear
      ? [Number(item.number)]
      : isCue(item, 'last year')
        ? [newestYear(catalogue) - 1]
        : [],
  )
  const [used, refused] = [new Set<Item>(), new Set<Item>()]
  return { catalogue, items, years, used, refused, where: [], places: [], having: undefined, asks: [] }
}

export function readClause(catalogue: Catalogue, items: readonly Item[]): Clause {
  const clause = emptyClause(catalogue, items)
  readScope(clause)
  const places = placesOf(clause)
  clause.places.push(...places)
  const other = readRatio(clause)
  const list = readList(clause)
  const details = readDetails(clause)
  readConditions(clause)
  const extremes = readAdjectives(clause)
  readOwners(clause)
  const group = list ?? readChosen(clause, extremes)
  const isOther =
    openTopics(clause).some((item) => !isDatasetOfClass(clause, item)) ||
    extremes.topic !== undefined ||
    clause.where.length > 0
  const classes = [...details.classes, ...readClasses(clause, isOther || details.classes.length > 0)]
  const topics = readTopics(clause, classes[0]?.topic, extremes.topic ?? details.property)
  addAsks(clause, { topics, classes, other, group, extremes })
  readYears(clause)
  return clause
}

/** "How much of the land is cropland": land is the dataset of the class. */
const isDatasetOfClass = (clause: Clause, item: Item) =>
  item.kind === 'topic' &&
  clause.items.some(
    (each) =>
      each.kind === 'class' &&
      each.meanings.some(
        ({ topic }) => item.topics.includes(topic) || (item.isDataset && layerOf(topic) === layerOf(item.topics[0])),
      ),
  )

/** The frames of the call are no selection: "in these frames", "these 9 frames", "does this area have". */
function readScope(clause: Clause): void {
  const { items } = clause
  items.forEach((item, i) => {
    // "An overview of the area", "how steep is the ground".
    const isArea = isCue(item, 'size') && /^area$/i.test(item.text) && (isPointed(item) || item.before === 'the')
    if (
      isArea &&
      (isCue(items[i - 1], 'in', 'of', 'profile', 'with') ||
        items.some(({ kind }) => kind === 'topic') ||
        isCue(items[0], 'do'))
    )
      use(clause, item)
    if (
      isCue(item, 'ground') &&
      (has(clause, 'adjective', 'size', 'max', 'min') || items.some(({ kind }) => kind === 'class'))
    )
      use(clause, item)
    // "How many wards does this cover": a name may be a verb.
    if (item.kind === 'topic' && isCue(items[i - 1], 'do') && /^(this|it|they)$/.test(item.before) && !items[i + 1])
      use(clause, item)
    if (!isCue(item, 'frames')) return
    const place = items.findLastIndex((each, k) => k < i && each.kind !== 'class')
    const [before, further, after] = [items[place], items[place - 1], items[i + 1]]
    const isNumbered = before?.kind === 'number' && isPointed(before)
    const start = isNumbered ? further : before
    const isCounted =
      (isCue(start, 'of') && isCue(further, 'count', 'which', 'share', 'not')) ||
      isCue(start, 'count', 'which', 'share', 'names')
    const selects = isCue(after, 'with', 'without', 'bound', 'where', 'max', 'min', 'not') || after?.kind === 'class'
    if (items[i + 1]?.kind === 'number') return
    if (isNumbered) use(clause, before)
    if (isCounted) return
    if (isPointed(item) || isNumbered || (isCue(start, 'in', 'of', 'from') && !selects)) use(clause, item)
    // "People in frames with a school": the frames are those of the condition.
    else if (
      isCue(start, 'in', 'of', 'from') &&
      items.slice(0, i).some((each) => each.kind === 'topic') &&
      !isCue(after, 'max', 'min') &&
      !isCue(items[i + 2], 'max', 'min')
    )
      use(clause, item)
    else if (isCue(items[0], 'do', 'with') && i <= 1) use(clause, item)
  })
}

function placesOf(clause: Clause): NamedPlace[] {
  const { items } = clause
  return items.flatMap((item, i) => {
    if (item.kind !== 'place') return []
    const before = isCue(items[i - 1], 'in', 'of') ? items[i - 2] : items[i - 1]
    const isExcluded = isCue(before, 'not', 'except')
    use(clause, item, isExcluded ? before : undefined)
    if (isCue(before, 'bound')) use(clause, before)
    if (isCue(before, 'or')) use(clause, before)
    return [isExcluded ? { ...item.place, isExcluded: true as const } : item.place]
  })
}

/** The topics that are asked for: one, or a list. A second topic beside the first asks for something else. */
function readTopics(clause: Clause, category: Topic | undefined, implied: Topic | undefined): Topic[] {
  const { items } = clause
  const asked: Item[] = []
  for (const item of openTopics(clause)) {
    const before = items[items.indexOf(item) - 1]
    const topics = topicsOf(clause, item)
    // "Not schools, clinics only"
    if (
      isCue(before, 'not', 'except') &&
      openTopics(clause).some((each) => each !== item && isJoined(clause, item, each))
    )
      use(clause, before, item)
    else if (
      item.kind === 'topic' &&
      item.isDataset &&
      topics.some((topic) => layerOf(topic) === layerOf(category ?? implied))
    )
      use(clause, item)
    else if (asked.length > 0 && !isJoined(clause, asked.at(-1), item) && !isSame(clause, asked.at(-1), item))
      refuse(clause, item)
    else asked.push(item)
  }
  use(clause, ...asked, ...items.filter((each, i) => isCue(each, 'or') && asked.includes(items[i + 1] as Item)))
  const topics = asked.flatMap((item) => topicsOf(clause, item))
  const unit = items.find(
    (item) => (isUnit(item) || isCue(item, 'ground')) && !clause.used.has(item) && !clause.refused.has(item),
  )
  const named = unit?.kind === 'cue' && topics.length === 0 && !implied ? unit.topics : []
  if (named.length > 0) use(clause, unit)
  const [first] = named
  // "What is an urban index" asks what it means.
  const [opener, only, more] = items
  if (isCue(opener, 'which') && only && !more && /^an?$/.test(only.before)) refuse(clause, only)
  return [...topics, ...(implied ? [implied] : []), ...(first ? [first] : [])]
}

const isSame = (clause: Clause, one: Item | undefined, other: Item) =>
  JSON.stringify(topicsOf(clause, one)) === JSON.stringify(topicsOf(clause, other))

type Wanted = {
  topics: Topic[]
  classes: AskedClass[]
  other: RatioTo | undefined
  group: Group | undefined
  extremes: Extremes
}

/** These phrases are accounted for by what stands beside them. */
const QUIET = new Set(['who', 'last year', 'of', 'in', 'from', 'and', 'do', 'with', 'adjective'])
const STATISTICS = ['sum', 'mean', 'median', 'max', 'min'] as const

function addAsks(clause: Clause, wanted: Wanted): void {
  const { topics, classes, group, extremes } = wanted
  clause.items.forEach((item, i) => {
    const [before, after] = [clause.items[i - 1], clause.items[i + 1]]
    // "People who speak it", "clinics only", "more people in one place or the other".
    if (isCue(item, 'who') && before?.kind === 'topic') use(clause, item)
    if (isCue(item, 'only') && before && /^(topic|class|place)$/.test(before.kind) && !after) use(clause, item)
    if (isCue(item, 'more') && clause.places.length > 1) use(clause, item)
  })
  const slots = new Map<Slot, Item[]>()
  const fill = (slot: Slot, ...items: Item[]) => slots.set(slot, [...(slots.get(slot) ?? []), ...items])
  for (const item of clause.items)
    if (
      item.kind === 'cue' &&
      !QUIET.has(item.cue) &&
      !/^what/i.test(item.text) &&
      !clause.used.has(item) &&
      !clause.refused.has(item)
    )
      fill(item.cue, item)
  if (topics.length > 0) fill('T', ...clause.items.filter(({ kind }) => kind === 'topic'))
  if (classes.length > 0) fill('C', ...clause.items.filter(({ kind }) => kind === 'class'))
  if (clause.where.length + clause.places.length > 0) fill('W')
  if (clause.having) fill('H', clause.having.item)
  if (group) fill(group.isList ? 'G' : 'U', group.item)
  if (extremes.end && !slots.has(extremes.end)) fill(extremes.end, ...extremes.words)
  if (extremes.isDense) fill('density', ...extremes.words)
  const number = clause.items.find((_, i) => isCountOfGroups(clause, i))
  if (number) fill('N', number)
  const statistics = STATISTICS.filter((statistic) => slots.has(statistic))
  const isList = statistics.length > 1 && has(clause, 'and') && !group
  for (const statistic of isList ? statistics : [undefined]) {
    const own = new Map(
      [...slots].filter(
        ([slot]) => statistic === undefined || slot === statistic || !(STATISTICS as readonly string[]).includes(slot),
      ),
    )
    addRow(clause, wanted, { slots: own, number: number?.kind === 'number' ? Number(number.number) : undefined })
  }
}

/** "Three frames", "top 5", "the 2 highest". */
function isCountOfGroups({ items, used, refused }: Clause, i: number): boolean {
  const item = items[i]
  if (
    item?.kind !== 'number' ||
    item.isOrdinal ||
    item.unit !== '' ||
    used.has(item) ||
    refused.has(item) ||
    item.isYear
  )
    return false
  return (
    isCue(items[i + 1], 'frames', 'max', 'min', 'state', 'lga', 'ward', 'adjective') ||
    isCue(items[i - 1], 'top', 'bottom')
  )
}

/** Alone, these ask for no figure. */
const IDLE: readonly Slot[] = ['which', 'frames', 'profile', 'compare']

type Filled = { slots: ReadonlyMap<Slot, Item[]>; number: number | undefined }

function addRow(clause: Clause, { topics, classes, other, group, extremes }: Wanted, { slots, number }: Filled): void {
  const row = rowFor(new Set(slots.keys()))
  const built: Built = { clause, slots, number, other, group, end: extremes.end, where: clause.where }
  // "Which frame has the most beds": a property has its extremes at single features.
  const isOfFeatures =
    /^(max|min|rank)$/.test(row?.operation ?? '') && topics.some(({ subject }) => subject.kind === 'property')
  const isLeft = (slot: Slot) => !row?.needs.includes(slot) && !row?.may.includes(slot)
  const leftOver = [...slots].filter(([slot]) => slot !== 'W' && (isLeft(slot) || (slot === 'frames' && isOfFeatures)))
  for (const [slot, items] of leftOver) if (row || !IDLE.includes(slot)) refuse(clause, ...items)
  if (!row) for (const slot of IDLE) use(clause, ...(slots.get(slot) ?? []))
  for (const [slot, items] of slots) if (!leftOver.some(([left]) => left === slot)) use(clause, ...items)
  const asks = row ? operationOf(row.operation, { topics, classes, ...built }) : []
  const { places } = clause
  for (const ask of asks.flatMap(withEachClass)) clause.asks.push(places.length > 0 ? { ...ask, places } : ask)
}

/** "In urban frames and in rural frames": no frame is both, so that each class has its own figure. */
function withEachClass(ask: Ask): Ask[] {
  const classes = ask.where.filter(({ test }) => test.test === 'class')
  const same = classes.filter(({ subject }) => classes[0] && sameSubject(subject, classes[0].subject))
  if (same.length < 2) return [ask]
  return same.map((own) => ({ ...ask, where: ask.where.filter((each) => each === own || !same.includes(each)) }))
}

/** A year is accounted for by a topic that has it. */
function readYears(clause: Clause): void {
  const subjects = clause.asks.flatMap(({ subject, operation }) => [
    subject,
    ...('other' in operation ? [operation.other] : []),
  ])
  const topics = clause.catalogue.topics.filter((topic) =>
    subjects.some((subject) => sameSubject(subject, topic.subject)),
  )
  for (const item of clause.items)
    if (
      ((item.kind === 'number' && item.isYear) || isCue(item, 'last year')) &&
      topics.some((topic) =>
        hasYear(topic, item.kind === 'number' ? Number(item.number) : newestYear(clause.catalogue) - 1),
      )
    )
      use(clause, item)
}

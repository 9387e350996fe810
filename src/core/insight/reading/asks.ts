/** Reads what one part of a question asks for, once its conditions are known. */
import type { Topic } from './topic.js'
import { distanceOf, meaningOf } from './adjectives.js'
import type { Item } from './items.js'
import { cueAt } from './cues.js'
import { addWanted, type Wanted } from './operations.js'
import { addAsk, condition, has, openTopics, topicsOf, type Part } from './part.js'
import type { Condition } from './reading.js'
import { plainWordsOf } from './words.js'
import { isJoined, scopeOf } from './scope.js'
import { isAdded, isCue, sameSubject } from './topics.js'

const numberOf = (item: Item | undefined): number | undefined =>
  item?.kind === 'number' ? Number(item.number) : isCue(item, 'number') ? Number(item.number) : undefined

/** Statistics wait for their topic; the ones of the last topic may serve a list: "most people and shops". */
type Scan = {
  pending: Wanted[]
  last: Wanted[]
  lastTopics: Topic[]
  previous: Item | undefined
  n: number | undefined
  /** The last topic has these conditions. */
  where: Condition[]
  /** Adds the figures that a list may mean, once those of its own words are there. */
  later: (() => void)[]
}

export function readAsks(part: Part): void {
  const scan: Scan = {
    pending: [],
    last: [],
    lastTopics: [],
    previous: undefined,
    n: undefined,
    where: part.where,
    later: [],
  }
  for (const item of part.items) {
    if (part.used.has(item)) continue
    readItem(part, scan, item)
    scan.previous = item
  }
  // "slope max": the statistic follows its topic, and no other topic comes.
  const last = { ...part, where: scan.where }
  for (const wanted of scan.pending) for (const topic of scan.lastTopics) addAfter(last, topic, wanted)
  for (const add of scan.later) add()
  if (scan.pending.length > 0 && scan.lastTopics.length === 0) askOfConditions(part)
}

function readItem(part: Part, scan: Scan, item: Item): void {
  if (item.kind === 'number' || isCue(item, 'number')) return readNumber(part, scan, item)
  if (item.kind === 'topic') return openTopics(part).includes(item) ? readTopic(part, scan, item) : undefined
  if (isCue(item, 'statistic')) return readStatistic(part, scan, item)
  if (isCue(item, 'adjective')) return readAdjective(part, scan, item)
  if (isCue(item, 'distance')) return readDistance(part, scan, item)
  if (isCue(item, 'rank')) scan.pending.push({ statistic: 'rank', text: item.text })
  if (isCue(item, 'top')) scan.pending.push({ statistic: 'max', text: item.text })
  if (isCue(item, 'bottom')) scan.pending.push({ statistic: 'min', text: item.text })
}

/** "The top three", "three frames": other numbers count nothing that an ask has. */
function readNumber(part: Part, scan: Scan, item: Item): void {
  const place = part.items.indexOf(item)
  const [next, after] = [part.items[place + 1], part.items[place + 2]]
  // "The 3 with the fewest buildings".
  const isOfExtreme = isCue(next, 'any') && (isCue(after, 'statistic') || isMost(after))
  const isOfFrames = isOfExtreme || isCue(next, 'frames')
  if (isOfFrames || isCue(scan.previous, 'top', 'bottom', 'statistic')) scan.n = numberOf(item)
}

const isMost = (item: Item | undefined) => isCue(item, 'adjective') && item.adjective.form === 'most'

function readStatistic(part: Part, scan: Scan, item: Extract<Item, { kind: 'cue'; cue: 'statistic' }>): void {
  // "Plenty schools dey?" asks how many; "which side get plenty people" asks for the most.
  if (/^plenty$/i.test(item.text) && !has(part, 'which', 'where')) return
  const wanted: Wanted = { statistic: item.statistic, text: item.text }
  const after = part.items[part.items.indexOf(item) + 1]
  if (
    isCue(after, 'adjective') &&
    after.adjective.form === 'base' &&
    (item.statistic === 'max' || item.statistic === 'min')
  )
    return
  const follows = scan.previous?.kind === 'topic' && scan.lastTopics.length > 0
  // "People per km², shops per km²": the topic after a comma has a figure of its own.
  const isOver = after?.kind !== 'topic' || (after.mark !== '' && /^per /i.test(item.text))
  if (follows && item.mark === '' && isOver && !isCue(after, 'of'))
    for (const topic of scan.lastTopics) addAfter({ ...part, where: scan.where }, topic, wanted)
  else scan.pending.push(wanted)
}

/** A statistic after its topic takes the place of the usual figure. */
function addAfter(part: Part, topic: Topic, wanted: Wanted): void {
  // "The median per frame" is no average.
  const isPerFrame = /^(per|in) /i.test(wanted.text)
  if (
    isPerFrame &&
    part.asks.some(({ subject, operation }) => operation.op !== 'usual' && sameSubject(subject, topic.subject))
  )
    return
  const usual = part.asks.findIndex(
    ({ subject, operation }) => operation.op === 'usual' && sameSubject(subject, topic.subject),
  )
  if (usual !== -1) part.asks.splice(usual, 1)
  addWanted(part, topic, wanted)
}

function readAdjective(part: Part, scan: Scan, item: Extract<Item, { kind: 'cue'; cue: 'adjective' }>): void {
  const meaning = meaningOf(part, item)
  if (!meaning) return void part.unknown.push(item)
  const { topic, wanted } = meaning
  // "Sparsely populated": the second adjective asks for nothing more.
  if (topic && wanted.statistic === undefined && part.asks.some(({ subject }) => sameSubject(subject, topic.subject)))
    return
  if (topic) {
    const own = { ...part, where: scopeOf(part, item).own }
    addWanted(own, topic, part.asks.length > 0 && wanted.statistic === undefined ? wanted : withNumber(scan.n, wanted))
    scan.lastTopics = [topic]
  } else if (wanted.statistic !== undefined) {
    if (scan.lastTopics.length > 0 && !laterTopic(part, item))
      for (const each of scan.lastTopics) addAfter({ ...part, where: scan.where }, each, wanted)
    else scan.pending.push(wanted)
  }
}

const laterTopic = (part: Part, item: Item) =>
  openTopics(part).some((each) => part.items.indexOf(each) > part.items.indexOf(item))

const withNumber = (n: number | undefined, wanted: Wanted): Wanted => ({
  ...wanted,
  ...(n === undefined ? {} : { n }),
})

function readDistance(part: Part, scan: Scan, item: Extract<Item, { kind: 'cue'; cue: 'distance' }>): void {
  const meaning = distanceOf(part, item)
  if (meaning?.topic) {
    addWanted(part, meaning.topic, meaning.wanted)
    scan.lastTopics = [meaning.topic]
    return
  }
  const place = part.items.indexOf(item)
  const target = part.items
    .slice(place + 1)
    .find((each) => each.kind === 'topic' || each.kind === 'unknown' || isCue(each, 'unit'))
  const span = target ? part.items.slice(place, part.items.indexOf(target) + 1) : [item]
  for (const each of span) if (each.kind === 'cue') part.used.add(each)
  part.unanswered.push(span)
}

/** A topic of a list has its own figure; the statistic and the conditions of the topic before it may be meant as well. */
function readTopic(part: Part, scan: Scan, item: Item): void {
  const topics = topicsOf(part, item)
  const isNew = startsQuestion(item)
  const joins = isJoined(part, item) && !isNew
  const scope = scopeOf(part, item)
  const { own } = scope
  const inherited = isNew ? [] : scope.inherited
  const wanted = scan.pending
  const n = scan.n
  const served = wanted.length > 0 ? wanted : joins ? scan.last : []
  addTopics({ ...part, where: own }, { item, topics, wanted, n })
  if (served.length > wanted.length || inherited.length > 0) {
    const meant = { ...part, where: [...own, ...inherited] }
    scan.later.push(() => addTopics(meant, { item, topics, wanted: served, n }))
  }
  if (topics.length > 0) scan.last = served
  scan.where = own
  scan.lastTopics = topics
  scan.pending = []
  scan.n = undefined
}

/** "The average slope and how many people": the name of the second topic is a question. */
const startsQuestion = ({ text }: Item) => cueAt(plainWordsOf(text), 0)?.cue.cue === 'count'

type Named = { item: Item; topics: readonly Topic[]; wanted: readonly Wanted[]; n: number | undefined }

function addTopics(part: Part, { item, topics, wanted, n }: Named): void {
  const share = wanted.find(({ statistic }) => statistic === 'share')
  for (const topic of topics) {
    if (wanted.length === 0) addPlain(part, topic, item)
    else if (share && isAdded(topic) && extremeAfter(part, item))
      addWanted(part, topic, { ...share, statistic: 'part', n: n ?? 1 })
    else for (const each of wanted) addWanted(part, topic, withNumber(n, each))
  }
}

/** "the share of the people in the busiest frame": marks the words of the frame as accounted for. */
function extremeAfter(part: Part, item: Item): boolean {
  const after = part.items.slice(part.items.indexOf(item) + 1)
  const extremes = after.filter(
    (each) => isCue(each, 'adjective') || isCue(each, 'top') || (isCue(each, 'statistic') && each.statistic === 'max'),
  )
  for (const each of extremes) part.used.add(each)
  return extremes.length > 0
}

function addPlain(part: Part, topic: Topic, item: Item): void {
  const place = part.items.indexOf(item)
  const before = part.items[place - 1]
  const isNamed = isCue(before, 'names', 'which') || (isCue(before, 'of') && isCue(part.items[place - 2], 'names'))
  if (topic.type === 'features') {
    if (has(part, 'extent') && (topic.kind === 'lines' || topic.kind === 'polygons'))
      return addAsk(part, topic.subject, { op: 'extent' })
    if (isNamed || isCue(part.items[place + 1], 'names')) return addAsk(part, topic.subject, { op: 'names' })
  }
  // "Which frame is nearest to a market" asks for a frame.
  const isNearest = /^(nearest|closest)\b/i.test(item.text) && has(part, 'frames')
  if (isNearest && topic.type === 'number') return addWanted(part, topic, { statistic: 'min', text: item.text })
  const hasExtreme = part.items.some(
    (each) => isCue(each, 'statistic') || (isCue(each, 'adjective') && each.adjective.form === 'most'),
  )
  if (has(part, 'where') && topic.type !== 'category' && !hasExtreme)
    return addAsk(part, topic.subject, { op: 'frames' }, [...part.where, condition(topic, { test: 'any' })])
  addAsk(part, topic.subject, { op: 'usual' })
}

/** Frames that pass tests, where the question asks for nothing else of them. */
export function askOfConditions(part: Part): void {
  if (part.asks.length > 0) return
  const isPlace = (each: Condition) => part.placesOf.has(each)
  const first = part.where.find((each) => !isPlace(each)) ?? part.where[0]
  if (!first) return
  // "Tell me about Marembe" asks for an overview, "frames in Marembe" for frames.
  if (isPlace(first) && (has(part, 'profile') || !has(part, 'frames'))) return
  const isShare = part.items.some((item) => isCue(item, 'statistic') && item.statistic === 'share')
  if (isShare) return addAsk(part, { kind: 'index', figure: 'frames' }, { op: 'portion' })
  addAsk(part, first.subject, { op: 'frames' })
}

/** Finds words that change what a part of a question asks for, and that none of its asks has. */
import type { Topic } from './topic.js'
import type { Statistic } from './cues.js'
import type { Item } from './items.js'
import type { Part } from './part.js'
import type { Ask } from './reading.js'
import { EXCEPTIONS } from './segments.js'
import { isAdded, isCue, sameSubject } from './topics.js'
import type { Word } from './words.js'

/** `items` are all items of the part's words; `dropped` are those that the question leaves out. */
export type QuestionItems = { words: readonly Word[]; items: readonly Item[]; dropped: readonly (readonly Item[])[] }

/** A figure without these words answers another question. Returns them as they are written. */
export function missedIn(part: Part, source: QuestionItems): string[] {
  const accounted = new Set([...part.used, ...part.unanswered.flat(), ...part.unknown])
  const missed = part.items.filter((item, i) => !accounted.has(item) && isMissed(part, item, i))
  return [
    ...source.dropped.filter(isException).map((span) => wordsOfItems(span)),
    ...missed.map((item) => wordsOfItems(withNext(part, item))),
    ...wordsMissed(part, source),
    ...(hasClash(part) ? [wordsOfItems(part.items)] : []),
  ]
}

const wordsOfItems = (items: readonly Item[]) => items.map((item) => item.text).join(' ')

const LEADS = ['frames', 'not', 'none', 'bound', 'per', 'by', 'or', 'in', 'measure', 'ratio'] as const

/** A number says little without the word before it, and "not" without the word after it. */
function withNext(part: Part, item: Item): Item[] {
  const i = part.items.indexOf(item)
  const [before, next] = [part.items[i - 1], part.items[i + 1]]
  if (item.kind === 'number' && isCue(before, 'frames')) return [before, item]
  return isCue(item, ...LEADS) && next ? [item, next] : [item]
}

function isMissed(part: Part, item: Item, i: number): boolean {
  if (item.kind === 'number') return !isCue(part.items[i - 1], 'bound') && !isNumberAsked(part, item, i)
  if (item.kind === 'class') return true
  if (isCue(item, 'number')) return !/^(one|zero)$/i.test(item.text) && !isNumberAsked(part, item, i)
  if (isCue(item, 'not', 'none')) return !isIdleNegation(part, i)
  if (isCue(item, 'bound', 'per', 'ratio')) return true
  if (isCue(item, 'or')) return isAlternative(part, i)
  if (isCue(item, 'in'))
    return /^(above|below|over|under|beyond)$/i.test(item.text) && isCue(part.items[i + 1], 'statistic')
  if (isCue(item, 'size')) return /^size$/i.test(item.text) && isOfTopic(part, i)
  if (isCue(item, 'frames')) return isOfExtreme(part, i)
  if (isCue(item, 'by')) return isOrderOfOthers(part, i)
  if (isCue(item, 'adjective'))
    return item.adjective.form === 'base' && isCue(part.items[i + 1], 'frames') && !isAfterStatistic(part, i)
  if (isCue(item, 'measure')) return !hasUnit(part, item.units)
  return isCue(item, 'statistic') && !hasStatistic(part, item.statistic, item.text.toLowerCase())
}

const isAfterStatistic = (part: Part, i: number) => isCue(part.items[i - 1], 'statistic', 'how', 'adjective')

/** An ask has the number as its count of frames, or it counts the frames of the question: "these 9 frames". Alone, it asks for nothing. */
function isNumberAsked(part: Part, item: Item & { number: string }, i: number): boolean {
  if (part.asks.length === 0) return true
  if (/\d(st|nd|rd|th)$/i.test(item.text)) return false
  if (item.isPointed && isCue(part.items[i + 1], 'frames')) return true
  return part.asks.some(({ operation }) => 'n' in operation && operation.n === Number(item.number))
}

/** "Whether or not", "is it not": nothing is left out. "School no dey here?" asks for schools. */
function isIdleNegation({ items, where }: Part, i: number): boolean {
  if (isCue(items[i - 1], 'or')) return true
  return isCue(items[i], 'none') && (isCue(items[i + 1], 'do') || i === items.length - 1) && where.length === 0
}

/** Conditions that hold together are not those that hold one or the other. */
function isAlternative({ items, where: all, placesOf }: Part, i: number): boolean {
  const where = all.filter((each) => !placesOf.has(each))
  // Each class of a list has its own figure.
  if (items[i - 1]?.kind === 'class' && items[i + 1]?.kind === 'class') return false
  return where.filter(({ test }) => test.test !== 'none').length > 1
}

/** "Household size" is no number of households; "population size" is one of people. */
function isOfTopic({ items }: Part, i: number): boolean {
  const before = items[i - 1]
  if (before?.kind !== 'topic' || before.isWeak) return false
  return before.meanings.every(({ topic }) => topic.unit !== 'people')
}

/** "Shops per km² in the frame with the most people": figures of one frame are not computed. */
function isOfExtreme({ items, asks }: Part, i: number): boolean {
  const isExtreme = isCue(items[i + 1], 'any') && isCue(items[i + 2], 'statistic', 'adjective')
  return isCue(items[i - 1], 'in') && isExtreme && asks.length > 1
}

/** "Top 3 schools by pupils": frames are put in order, and nothing else is. */
function isOrderOfOthers({ items }: Part, i: number): boolean {
  if (items[i]?.text.toLowerCase() !== 'by' || items[i + 1]?.kind !== 'topic') return false
  const ordered = items[i - 1]
  return isCue(ordered, 'unit') || (ordered?.kind === 'topic' && items.some((item) => isCue(item, 'top', 'rank')))
}

function hasUnit(part: Part, units: string): boolean {
  const asksExtent = part.asks.some(({ operation }) => operation.op === 'extent' || operation.op === 'per_km2')
  const asksArea = part.asks.some(({ subject }) => subject.kind === 'index' && subject.figure === 'area')
  if ((asksExtent || asksArea) && units.startsWith('km')) return true
  return topicsAsked(part).some((topic) => topic.unit === units)
}

const topicsAsked = ({ asks, catalogue }: Part): Topic[] =>
  catalogue.topics.filter((topic) => asks.some(({ subject }) => sameSubject(subject, topic.subject)))

type Op = Ask['operation']['op']
/** The operations that have a statistic. Where a statistic is not named here, the usual figure may have it. */
const OPERATIONS: Partial<Record<Statistic, readonly Op[]>> = {
  min: ['min', 'rank', 'range'],
  median: ['median'],
  share: ['class', 'part', 'portion'],
  change: ['change', 'range'],
  trend: ['change'],
  per_km2: ['per_km2'],
}
const SINGLE = /^(longest|shortest|largest|biggest|smallest)$/

function hasStatistic(part: Part, statistic: Statistic, text: string): boolean {
  const { asks, items } = part
  if (asks.length === 0) return statistic !== 'share'
  // A density that is recorded has its area in its unit.
  const isDensity = ({ subject }: Ask) =>
    part.catalogue.topics.some((topic) => sameSubject(topic.subject, subject) && /per km|\/km/.test(topic.unit ?? ''))
  const isTotal = (ask: Ask) => ask.operation.op === 'usual' && !isDensity(ask)
  if (statistic === 'per_km2' && text.startsWith('per') && asks.some(isTotal)) return false
  if (text === 'per km' && !asks.some(({ operation }) => operation.op === 'extent')) return false
  const counts = items.some((item) => isCue(item, 'count'))
  if (SINGLE.test(text) && !counts && asks.some(isExtremeOfFeatures)) return false
  if (statistic === 'share' && topicsAsked(part).some(isShare)) return true
  if (statistic === 'per_km2' && topicsAsked(part).some(({ unit }) => /per km|\/km/.test(unit ?? ''))) return true
  const wanted = OPERATIONS[statistic]
  return wanted === undefined || asks.some(({ operation }) => wanted.includes(operation.op))
}

const isExtremeOfFeatures = ({ subject, operation }: Ask) =>
  subject.kind === 'features' && (operation.op === 'max' || operation.op === 'min' || operation.op === 'rank')
/** The figure of a category is the part of its frames. */
const isShare = ({ type, unit, names }: Topic) =>
  type === 'category' || unit === '%' || names.some((name) => /\b(share|percent\w*)\b/i.test(name))

/** Topics can be left out. Frames that have a class, or one feature of many, cannot. */
function isException([first, ...others]: readonly Item[]): boolean {
  if (others.some((item) => item.kind === 'number' || item.kind === 'class' || isCue(item, 'none'))) return true
  if (!first || !EXCEPTIONS.test(first.text)) return false
  return others.length === 0 || others.some((item) => item.kind !== 'topic' && !isCue(item, 'and', 'or', 'in', 'of'))
}

const NEGATION_WORDS = /^(dont|doesnt|didnt|cant|cannot|wont|wasnt|werent|havent|hasnt|hadnt|couldnt|wouldnt)$/
const COMPARATIVES = /^(more|less|fewer|than|same)$/

/** "How many different languages": no figure counts a thing once that several frames have. */
const DISTINCT = /^(different|distinct|unique)$/
const isMeanOfCounts = ({ catalogue }: Part, { subject, operation }: Ask): boolean =>
  operation.op === 'usual' &&
  catalogue.topics.some((topic) => {
    const isCounted = topic.names.some((name) => /^(number|how many)\b/i.test(name))
    return topic.type === 'number' && !isAdded(topic) && isCounted && sameSubject(topic.subject, subject)
  })

/** Words of the language that are no item, and that change what is asked for. */
function wordsMissed(part: Part, { words, items }: QuestionItems): string[] {
  const [start, end] = [items[0]?.start ?? 0, Math.max(...items.map((item) => item.end))]
  return words.flatMap(({ word, text }, i) => {
    if (DISTINCT.test(word)) return part.asks.some((ask) => isMeanOfCounts(part, ask)) ? [text] : []
    if (!NEGATION_WORDS.test(word) && !COMPARATIVES.test(word)) return []
    const item = items.find((each) => i >= each.start && i < each.end)
    // A name may have such a word among its own: "how many fewer people".
    if (i < start || i > end || (item && item.kind !== 'topic')) return []
    const own = words[i - 1]?.word ?? ''
    if (NEGATION_WORDS.test(word)) return /^(i|we|you)$/.test(own) ? [] : [text]
    return COMPARATIVES.test(word) && part.asks.length > 0 && !isToldMore(part, own) ? [text] : []
  })
}

/**
 * "Tell me more", "has it grown more": nothing is set against another. Figures of two places stand side by side:
 * "Lakeside or Alder Hills, which has more people".
 */
const isToldMore = ({ asks, placesOf }: Part, before: string) =>
  /^(me|us|any|once|know)$/.test(before) || placesOf.size > 1 || asks.some(({ operation }) => operation.op === 'change')

/** No frame has two classes of one category. */
const hasClash = ({ asks, placesOf }: Part): boolean =>
  asks.some(({ where }) => {
    const classes = where.filter((each) => each.test.test === 'class' && !placesOf.has(each))
    return classes.some(({ subject }, i) => classes.some((other, k) => k < i && sameSubject(other.subject, subject)))
  })

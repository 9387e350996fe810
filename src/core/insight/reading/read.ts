/** Reads a question: words become items, items become parts, and each part becomes asks or is said to have none. */
import type { Catalogue } from './catalogue.js'
import { askOfConditions, readAsks } from './asks.js'
import { readClasses, splitAlternatives } from './classes.js'
import { readConditions } from './conditions.js'
import { itemsOf, type Item } from './items.js'
import { wishesIn } from './conjuncts.js'
import { readDetails } from './details.js'
import { missedIn } from './guard.js'
import { readUnitsPassing } from './by-unit.js'
import { addAsk, addPlace, has, isWeak, openTopics, type Part } from './part.js'
import { readPatterns } from './patterns.js'
import { readPlaces } from './places.js'
import type { Ask, Reading } from './reading.js'
import { requestIn } from './request.js'
import { merged } from './merged.js'
import { linkedAsks, type Wish } from './references.js'
import { leadingWords, leadOf, segmentsOf, withoutLeftOut } from './segments.js'
import { hasYear, isCue, newestYear } from './topics.js'
import { wordsOf, type Word } from './words.js'

export const ASK_OF_FRAMES: Ask = {
  subject: { kind: 'index', figure: 'frames' },
  operation: { op: 'usual' },
  where: [],
}
const NOTHING: Reading = { asks: [], unknown: [], unanswered: [], compares: false, wants: 'nothing' }
/** Markup, SQL and templates are no question. */
const CODE =
  /\{[^}]*\}|<\/?[a-z!][^>]*>|--\s*$|\bselect\b.+\bfrom\b.+;|;\s*(?:drop|delete|insert|update|alter|truncate)\b/is
const ORDERS =
  /\b(ignore|disregard|forget|override)\b.*\b(instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are now\b|\bpretend\b|\bjailbreak\b/i

export function readQuestion(catalogue: Catalogue, question: string): Reading {
  if (CODE.test(question) || ORDERS.test(question)) return NOTHING
  const words = wordsOf(question)
  const items = readPlaces(requestedItems(catalogue, words), catalogue)
  const starts = wishesIn(items, words)
  if (starts.length === 1) return readWish(catalogue, words)
  const ends = [...starts.slice(1), words.length]
  const lead = words.slice(0, leadingWords(items))
  const wishes = starts.map((start, i) => [...(i === 0 ? [] : lead), ...words.slice(start, ends[i])])
  return merged(linked(wishes.map((wish) => ({ words: wish, reading: readWish(catalogue, wish) }))))
}

/** Returns how many words at the beginning are of every wish. */
export const leadingLength = (catalogue: Catalogue, question: string): number =>
  leadingWords(readPlaces(requestedItems(catalogue, wordsOf(question)), catalogue))

function readWish(catalogue: Catalogue, words: readonly Word[]): Reading {
  const items = requestedItems(catalogue, words)
  const { items: kept, leavesOut, asksAgain, dropped } = withoutLeftOut(items)
  const placed = readPlaces(weakenAskers(kept), catalogue)
  const hasStrong = placed.some(
    (item) => (item.kind === 'topic' && !isWeak(item)) || item.kind === 'class' || isCue(item, 'adjective', 'distance'),
  )
  const segments = segmentsOf(placed)
  const lead = placed.slice(0, leadOf(placed))
  const parts = segments.map((segment, i) => {
    const part = readPart(catalogue, i === 0 ? segment : [...lead, ...segment], hasStrong)
    const start = i === 0 ? 0 : (segment[0]?.start ?? 0)
    const end = segments[i + 1]?.[0]?.start ?? words.length
    const isInside = (item: Item | undefined) => item !== undefined && item.start >= start && item.start < end
    part.words = words.slice(start, end)
    const source = { words, items: items.filter(isInside), dropped: dropped.filter(([first]) => isInside(first)) }
    part.missed.push(...missedIn(part, source))
    return part
  })
  const reading = readingOf(parts, placed, leavesOut)
  // "Everything except schools, and schools": the first half asks for an overview, which begins with the frames.
  return asksAgain ? { ...reading, asks: [...reading.asks, ASK_OF_FRAMES] } : reading
}

/** Items of the words that ask, with their places among all words. */
const requestedItems = (catalogue: Catalogue, words: readonly Word[]): Item[] =>
  requestIn(words).flatMap(({ start, end }) =>
    itemsOf(catalogue, words.slice(start, end)).map((item) => ({
      ...item,
      start: item.start + start,
      end: item.end + start,
    })),
  )

/** "What do people speak": where the people do something, they are no topic beside another. */
const weakenAskers = (items: readonly Item[]): Item[] =>
  items.map((item, i) => (item.kind === 'topic' && isCue(items[i - 1], 'do') ? { ...item, isWeak: true } : item))

function readPart(catalogue: Catalogue, items: Item[], hasStrong: boolean): Part {
  const years = items.flatMap((item) =>
    item.kind === 'year' ? [item.year] : isCue(item, 'last year') ? [newestYear(catalogue) - 1] : [],
  )
  const unknown = items.filter((item) => item.kind === 'unknown')
  const part: Part = {
    catalogue,
    words: [],
    items,
    years,
    used: new Set(),
    where: [],
    whereItems: new Map(),
    placesOf: new Map(),
    asks: [],
    unknown,
    unanswered: [],
    missed: [],
    classWords: [],
    hasStrong,
  }
  readDetails(part)
  readPatterns(part)
  const patterned = [...part.asks]
  for (const item of items) if (item.kind === 'place') addPlace(part, item)
  readConditions(part)
  readClasses(part)
  readUnitsPassing(part)
  // "Pupils per school in frames with 3 schools": the conditions come after the pattern.
  for (const { where } of patterned) where.push(...part.where)
  readAsks(part)
  askOfConditions(part)
  if (part.asks.length === 0) askOfIndex(part)
  splitAlternatives(part)
  noteYears(part)
  return part
}

/** The index itself answers where there is no topic: area, frames, where. */
function askOfIndex(part: Part): void {
  if (part.unanswered.length > 0 || openTopics(part).length > 0) return
  const unit = part.items.find((item) => isCue(item, 'unit'))
  if (isCue(unit, 'unit') && unit.figure) return addAsk(part, { kind: 'index', figure: unit.figure }, { op: 'usual' })
  if (has(part, 'where')) {
    for (const figure of ['state', 'lga', 'ward'] as const) addAsk(part, { kind: 'index', figure }, { op: 'usual' })
    return
  }
  if (has(part, 'profile')) return
  if (part.items.some((item, i) => isCue(item, 'size') && !item.isPointed && !isCue(part.items[i - 1], 'in')))
    return addAsk(part, { kind: 'index', figure: 'area' }, { op: 'usual' })
  if (has(part, 'count') && has(part, 'frames')) addAsk(part, { kind: 'index', figure: 'frames' }, { op: 'usual' })
}

/** A year that no topic of the part has is unknown. */
function noteYears(part: Part): void {
  const subjects = part.asks.flatMap(({ subject, operation }) =>
    [subject, ...('other' in operation ? [operation.other] : [])].map((each) => JSON.stringify(each)),
  )
  const topics = part.catalogue.topics.filter(({ subject }) => subjects.includes(JSON.stringify(subject)))
  for (const item of part.items) {
    if (item.kind === 'year' && !part.used.has(item) && !topics.some((topic) => hasYear(topic, item.year)))
      part.unknown.push(item)
  }
}

function withPlaces({ placesOf }: Part, ask: Ask): Ask {
  const places = ask.where.flatMap((each) => placesOf.get(each) ?? [])
  const where = ask.where.filter((each) => !placesOf.has(each))
  return places.length === 0 ? ask : { ...ask, where, places }
}

type ReadWish = { words: readonly Word[]; reading: Reading }

/** Each wish may point at the one before it. */
export function linked(wishes: readonly ReadWish[]): Reading[] {
  const readings: Reading[] = []
  for (const { words, reading } of wishes) {
    const last = readings.at(-1)
    const before = last && { words: [], asks: last.asks, places: last.places ?? [] }
    const asks = linkedAsks(before, { words, asks: reading.asks, places: reading.places ?? [] })
    readings.push({ ...reading, asks, wants: asks.length > 0 ? 'figures' : reading.wants })
  }
  return readings
}

function readingOf(parts: readonly Part[], items: readonly Item[], leavesOut: boolean): Reading {
  const wishes: Wish[] = []
  for (const part of parts) {
    const isNearest = part.unknown.length + part.missed.length + part.unanswered.length > 0
    const own = part.asks.map((ask): Ask => ({ ...withPlaces(part, ask), ...(isNearest ? { isNearest } : {}) }))
    const wish = { words: part.words, asks: own, places: [...part.placesOf.values()] }
    wishes.push({ ...wish, asks: linkedAsks(wishes.at(-1), wish) })
  }
  const all = wishes.flatMap((wish) => wish.asks)
  const asks = all.filter((ask, i) => all.findIndex((each) => JSON.stringify(each) === JSON.stringify(ask)) === i)
  const text = (some: readonly Item[]) => some.map((item) => item.text).join(' ')
  const unknown = parts.flatMap((part) =>
    part.unknown.toSorted((a, b) => part.items.indexOf(a) - part.items.indexOf(b)).map((item) => item.text),
  )
  const unanswered = parts.flatMap((part) => [...part.unanswered.map(text), ...part.missed])
  const isProfile = items.some((item) => isCue(item, 'profile')) || leavesOut
  const isEmpty = asks.length === 0 && unknown.length === 0 && unanswered.length === 0
  // A comparison of units has the figures of units, not of frames.
  const compares = items.some((item) => isCue(item, 'compare')) && !asks.some(({ operation }) => operation.op === 'by')
  return {
    asks,
    unknown: [...new Set(unknown)],
    unanswered: [...new Set(unanswered)],
    compares,
    places: parts.flatMap(({ placesOf }) => [...placesOf.values()]),
    wants: asks.length === 0 && (isProfile || (compares && isEmpty)) ? 'profile' : isEmpty ? 'nothing' : 'figures',
  }
}

/** Reads a question: words become items, items become clauses, and each clause becomes asks or says what it lacks. */
import type { Catalogue } from './catalogue.js'
import { emptyClause, readClause } from './asks.js'
import type { Clause } from './clause.js'
import { isCue, isUnit, itemsOf, type Item } from './items.js'
import { readPlaces } from './places.js'
import type { Ask, Condition, Reading } from './reading.js'
import { unusedIn } from './unused.js'
import { wordsOf, type Word } from './words.js'

const NOTHING: Reading = { asks: [], unknown: [], unanswered: [], compares: false, wants: 'nothing' }
/** Markup, SQL and templates are no question. */
const CODE =
  /\{[^}]*\}|<\/?[a-z!][^>]*>|--\s*$|\bselect\b.+\bfrom\b.+;|;\s*(?:drop|delete|insert|update|alter|truncate)\b/is
const ORDERS =
  /\b(ignore|disregard|forget|override)\b.*\b(instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are now\b|\bpretend\b|\bjailbreak\b/i

/** `isCountry`: the figures are those of the whole country. Otherwise a question about it is not answered. */
export function readQuestion(catalogue: Catalogue, question: string, { isCountry = false } = {}): Reading {
  if (CODE.test(question) || ORDERS.test(question)) return NOTHING
  const words = wordsOf(question)
  const known = itemsOf(catalogue, words).filter((item) => !(isCountry && isCue(item, 'country')))
  const items = readPlaces(known, catalogue)
  const read: ReadClause[] = []
  for (const split of clausesOf(items, words)) {
    const clause = isAboutAsker(words, split, items) ? emptyClause(catalogue, split) : readClause(catalogue, split)
    const before = read.findLast(({ asks }) => asks.some(isSelective)) ?? read.at(-1)
    const refers = before !== undefined && pointsBack(words, split)
    read.push({ clause, ...(refers ? referredTo(before, clause) : { asks: clause.asks }) })
  }
  shareScope(read)
  return readingOf(read, words)
}

type ReadClause = { clause: Clause; asks: Ask[]; isLost?: true }

/** "I work for a ministry." tells about the asker, where another sentence asks. Its words are said, and ask for nothing. */
function isAboutAsker(words: readonly Word[], own: readonly Item[], all: readonly Item[]): boolean {
  const asks = (item: Item) =>
    isCue(item, 'count', 'which', 'where', 'how') || (item.kind === 'topic' && item.isCounted)
  const start = words.findLastIndex(({ mark }, i) => mark === 'strong' && i <= (own[0]?.start ?? 0))
  return /^(i|im|ive|we|my|our)$/.test(words[Math.max(0, start)]?.word ?? '') && !own.some(asks) && all.some(asks)
}

const isTopic = (item: Item) =>
  item.kind === 'topic' || item.kind === 'class' || isUnit(item) || isCue(item, 'size', 'adjective', 'ground')

/** A clause that asks by itself begins with one of these, or with a number of things. */
const ASKING = [
  'count', 'which', 'who', 'where', 'how', 'max', 'min', 'mean', 'median', 'sum', 'range', 'names', 'rank', 'share', 'top', 'extent', 'mode',
  'change', 'trend', 'density',
] as const // prettier-ignore

/** A question is split at "and", a comma, ";" and "?" where each side has a topic and the second asks by itself. */
function clausesOf(items: readonly Item[], words: readonly Word[]): Item[][] {
  const clauses: Item[][] = [[]]
  items.forEach((item, i) => {
    const current = clauses.at(-1) ?? []
    const isAnd = isCue(item, 'and')
    const rest = items.slice(isAnd ? i + 1 : i)
    const end = rest.findIndex((each, k) => k > 0 && (each.mark === 'strong' || isCue(each, 'and')))
    const next = end === -1 ? rest : rest.slice(0, end)
    // "And are there any shops". "And are over 5 km from a school" goes on.
    const between = words.slice(isAnd ? item.end : item.start, rest[0]?.start)
    const isOpened = !isCue(rest[0], 'bound') && between.some(({ word }) => /^(is|are|was|were|can)$/.test(word))
    const asks = next.some(isTopic) && (item.mark === 'strong' || isOpened || asksByItself(next, current, isAnd))
    const isJoint = isAnd || item.mark !== ''
    if (isJoint && (asks || asksUnknown(next)) && hasAsk(current)) clauses.push([])
    clauses.at(-1)?.push(item)
  })
  return clauses
    .map((clause) => (isCue(clause[0], 'and') ? clause.slice(1) : clause))
    .filter(({ length }) => length > 0)
}

/** "In urban frames, how many people": a place before the question is a part of it. */
const hasAsk = (items: readonly Item[]) => {
  const isLead =
    isCue(items[0], 'in') &&
    items.every((item) => item.kind === 'class' || item.kind === 'place' || isCue(item, 'in', 'of', 'frames'))
  const isExtreme = items.some((item) => isCue(item, 'frames')) && items.some((item) => isCue(item, 'max', 'min'))
  return !isLead && (isExtreme || items.some(isTopic))
}

/** "And who is the governor": the words that nothing knows are of this clause alone. */
const asksUnknown = (items: readonly Item[]) =>
  isCue(items[0], 'count', 'which', 'who', 'where', 'how') && items.some(({ kind }) => kind === 'unknown')

function asksByItself([first, second]: readonly Item[], before: readonly Item[], isAnd: boolean): boolean {
  // "Highest and lowest slope" has one topic, behind both.
  const isOfBoth = !before.some((item) => isTopic(item) || isCue(item, 'frames'))
  if (isOfBoth) return false
  // "Which ward has the most schools and the fewest clinics" asks for one ward.
  if (isCue(first, 'max', 'min') && before.some(isUnit)) return false
  if (isCue(first, ...ASKING) || (isCue(first, 'do') && isCue(second, ...ASKING))) return true
  if (first?.kind !== 'topic') return false
  // "Which frames are urban, and population".
  const isAfterClass = isAnd && !before.some((item) => item.kind === 'topic')
  return first.isCounted || isAfterClass || (isCue(second, ...ASKING) && second.mark === '')
}

/** "How many people live there": the clause points at the frames of the one before it. "Are there" does not. */
function pointsBack(words: readonly Word[], items: readonly Item[]): boolean {
  if (/^(their|its|those|there)$/.test(items[0]?.before ?? '')) return true
  const [start, end] = [items[0]?.start ?? 0, Math.max(...items.map((item) => item.end)) + 2]
  return words.slice(start, end).some(({ word }, k, all) => {
    if (/^(them|those|it|their|its|they)$/.test(word)) return true
    return (
      word === 'there' &&
      !/^(is|are|was|were)$/.test(all[k - 1]?.word ?? '') &&
      !/^(is|are)$/.test(all[k + 1]?.word ?? '')
    )
  })
}

const isSelective = ({ where, places = [], operation }: Ask) =>
  where.length + places.length > 0 || operation.op === 'class'

/** Frames of a class are frames. Schools of a class have no other figures, and nor has the frame with the most people. */
function referredTo({ asks: before }: ReadClause, { asks }: Clause): Pick<ReadClause, 'asks' | 'isLost'> {
  const last = before.at(-1)
  if (!last) return { asks }
  const { subject, operation, places } = last
  const isOfClass = operation.op === 'class'
  if (/^(max|min|rank)$/.test(operation.op) || (isOfClass && subject.kind === 'property')) return { asks, isLost: true }
  const where: Condition[] = isOfClass
    ? [...last.where, { subject, test: { test: 'class', value: operation.value } }]
    : last.where
  return {
    asks: asks.map((ask) => (ask.where.length === 0 ? ({ ...ask, where, places: ask.places ?? places } as Ask) : ask)),
  }
}

/** "In Marembe, how many people and how many schools", "how many people and how many schools in Marembe": both. */
function shareScope(read: ReadClause[]): void {
  const scopeOf = ({ clause }: ReadClause) => clause.where.length + clause.places.length
  const [first, last] = [read[0], read.at(-1)]
  if (!first || !last || read.length < 2) return
  const isLead = isCue(first.clause.items[0], 'in') && scopeOf(first) > 0
  const isTrail = scopeOf(last) > 0 && read.slice(0, -1).every((each) => scopeOf(each) === 0) && isTrailing(last.clause)
  const source = isLead ? first : isTrail ? last : undefined
  for (const each of source ? read : []) {
    if (each === source || scopeOf(each) > 0) continue
    const { where, places } = source?.clause ?? each.clause
    each.asks = each.asks.map((ask) => ({
      ...ask,
      where: [...ask.where, ...where],
      ...(places.length > 0 ? { places } : {}),
    }))
  }
}

const isTrailing = ({ items }: Clause) =>
  items[0]?.mark === '' &&
  items.some((item, i) => i > 0 && isCue(items[i - 1], 'in') && (item.kind === 'place' || item.kind === 'class'))

function readingOf(read: readonly ReadClause[], words: readonly Word[]): Reading {
  const asks: Ask[] = []
  const unknown: string[] = []
  const unanswered: string[] = []
  for (const { clause, asks: own, isLost } of read) {
    const lost = unusedIn(clause)
    // No figure tests the conditions of a clause that asks for nothing: they are said.
    const all =
      isLost || (own.length === 0 && clause.where.length > 0) ? [clause.items.map(({ text }) => text).join(' ')] : []
    unknown.push(...lost.unknown)
    unanswered.push(...lost.unanswered, ...all)
    const isNearest = lost.unknown.length + lost.unanswered.length + all.length > 0
    asks.push(...own.map((ask): Ask => (isNearest ? { ...ask, isNearest: true } : ask)))
  }
  const texts = asks.map((ask) => JSON.stringify(ask))
  const items = read.flatMap(({ clause }) => clause.items)
  const isEmpty = asks.length + unknown.length + unanswered.length === 0
  const isCompared = items.some((item) => isCue(item, 'compare'))
  const isProfile =
    items.some((item) => isCue(item, 'profile', 'frames') || isUnit(item) || item.kind === 'place') ||
    (items.some((item) => isCue(item, 'which')) && words.some(({ word }) => /^(here|there)$/.test(word)))
  return {
    asks: asks.filter((_, i) => texts.indexOf(texts[i] ?? '') === i),
    unknown: [...new Set(unknown)],
    unanswered: [...new Set(unanswered)],
    // A comparison of units has the figures of units, not of frames.
    compares: isCompared && !asks.some(({ operation }) => operation.op === 'by'),
    places: read.flatMap(({ clause }) => clause.places),
    wants: !isEmpty ? 'figures' : isProfile || isCompared ? 'profile' : 'nothing',
  }
}

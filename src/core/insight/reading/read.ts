/** Reads a question: words become items, items become clauses, and each clause becomes asks or says what it lacks. */
import type { Catalogue } from './catalogue.js'
import { readClause } from './asks.js'
import { emptyClause, type Clause, type WholeLevel } from './clause.js'
import { isCalled, isCue, isUnit, isWhatAbout, itemsOf, matchAt, type Item } from './items.js'
import type { Ask, Reading } from './reading.js'
import { isOfUnits } from './topic.js'
import { unusedIn } from './unused.js'
import { wordsOf, type Word } from './words.js'

const NOTHING: Reading = { asks: [], unknown: [], unanswered: [], wants: 'nothing' }
/** Markup, SQL and templates are no question. */
const CODE =
  /\{[^}]*\}|<\/?[a-z!][^>]*>|--\s*$|\bselect\b.+\bfrom\b.+;|;\s*(?:drop|delete|insert|update|alter|truncate)\b/is
const INSTRUCTION =
  /\b(ignore|disregard|forget|override)\b.*\b(instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are now\b|\bpretend\b|\bjailbreak\b/i

/** `level`: the figures are those of such a unit. A question about another whole is not answered. */
export function readQuestion(catalogue: Catalogue, question: string, { level }: { level?: WholeLevel } = {}): Reading {
  if (CODE.test(question) || INSTRUCTION.test(question)) return NOTHING
  const words = wordsOf(question)
  const known = itemsOf(catalogue, words).filter((item) => !(level === 'country' && isCue(item, 'country')))
  const read: ReadClause[] = []
  for (const split of clausesOf(known, words)) {
    const before = read.at(-1)
    const lead = words.slice(before?.clause.items.at(-1)?.end, split[0]?.start)
    // "I work for a ministry." tells about the asker, where another sentence asks. Its words are said.
    const isTold =
      lead.some(({ word }) => /^(i|im|ive|we|my|our)$/.test(word)) && !split.some(isQuestion) && known.some(isQuestion)
    const clause = isTold ? emptyClause(catalogue, split) : readClause(catalogue, split, level)
    read.push({ clause, isLost: before !== undefined && limits(before.clause) && pointsBack(words, split) })
  }
  shareScope(read.map(({ clause }) => clause))
  return readingOf(read, words)
}

const isQuestion = (item: Item) =>
  isCue(item, 'count', 'which', 'where', 'how') || (item.kind === 'topic' && item.isCounted)

/** `isLost`: it is about the frames that the clause before it found, which no figure is of. */
type ReadClause = { clause: Clause; isLost: boolean }

const isTopic = (item: Item) =>
  item.kind === 'topic' ||
  (item.kind === 'class' && !isOnlyOfUnits(item)) ||
  isUnit(item) ||
  isCue(item, 'size', 'adjective', 'ground')

/** A clause that asks by itself begins with one of these, or with a number of things. */
const ASKING = [
  'count', 'which', 'who', 'where', 'how', 'max', 'min', 'mean', 'median', 'sum', 'range', 'names', 'rank', 'share', 'top', 'extent', 'mode',
  'change', 'trend', 'density', 'do',
] as const // prettier-ignore

/** A thing with what limits it. */
const LIMITED = [
  ['topic in|of|from unit? of? class|unknown', 'topic not|except in|of|from? unit? of? class|unknown'],
  ['class? frames bound|with|without'],
].map((patterns) => patterns.map((pattern) => pattern.split(' ')))

const isLimitedAt = (items: readonly Item[], at: number, patterns: readonly string[][]): boolean =>
  patterns.some((steps) => matchAt(items, at, steps))

/**
 * "The LGA of Lakeside", "what about the wards Ibis and Palace": units with their names, which ask for nothing.
 * "Mangrove" alone may be the land cover.
 */
const isPlacePhrase = (items: readonly Item[]): boolean =>
  items.some((item) => isNameOfUnit(item) && (isOnlyOfUnits(item) || items.some(isUnit))) &&
  items.every(
    (item, i) =>
      isNameOfUnit(item) ||
      isUnit(item) ||
      isCue(item, 'in', 'of', 'from', 'and', 'or', 'not', 'except') ||
      isCalled(item) ||
      (i === 0 && isWhatAbout(item, items[1])),
  )
const isOnlyOfUnits = (item: Item) => item.kind === 'class' && item.meanings.every(({ topic }) => isOfUnits(topic))
const isNameOfUnit = (item: Item) => item.kind === 'class' && item.meanings.some(({ topic }) => isOfUnits(topic))

/** A question is split at "and", a comma, ";" and "?" where each side has a topic and the second asks by itself. */
function clausesOf(items: readonly Item[], words: readonly Word[]): Item[][] {
  const clauses: Item[][] = [[]]
  items.forEach((item, i) => {
    const current = clauses.at(-1) ?? []
    const isAnd = isCue(item, 'and')
    const rest = items.slice(isAnd ? i + 1 : i)
    // "Highest and lowest slope" is one side.
    const isEnd = (each: Item, k: number) => isCue(each, 'and') && rest.slice(0, k).some(isTopic)
    const end = rest.findIndex((each, k) => k > 0 && (each.mark === 'strong' || isEnd(each, k)))
    const next = rest.slice(0, end === -1 ? undefined : end)
    const [first, second] = next
    // "And are there any shops". "And are over 5 km from a school" goes on.
    const between = words.slice(isAnd ? item.end : item.start, first?.start)
    const isOpened = !isCue(first, 'bound') && between.some(({ word }) => /^(is|are|was|were|can)$/.test(word))
    // "Which frames are urban, and population".
    const isAfterClass = isAnd && !current.some(({ kind }) => kind === 'topic')
    // "People within 2 km of a school and people within 5 km of a clinic" are two figures.
    const isLimited =
      isCue(second, 'bound', 'with', 'without', 'not') && !current.some((each) => isCue(each, 'compare'))
    const isSame = (each: Item) =>
      first?.kind === 'topic' && each.kind === 'topic' && each.topics[0] === first.topics[0]
    const isAgain = isLimited && current.some(isSame)
    // "Schools in Marembe and clinics in Lakeside", "forest frames above 200 m and cropland frames below 50 m".
    const isOther =
      isAnd && LIMITED.some((all) => isLimitedAt(next, 0, all) && current.some((_, k) => isLimitedAt(current, k, all)))
    const isTold =
      isOther || (first?.kind === 'topic' && (first.isCounted || isAfterClass || isAgain || isCue(second, ...ASKING)))
    // "And who is the governor": the words that nothing knows are of this clause alone.
    const isAskedOf = (each: Item) => isTopic(each) || (isCue(first, ...ASKING) && each.kind === 'unknown')
    const hasTopic = !isPlacePhrase(next) && next.some(isAskedOf)
    const isAsked = item.mark === 'strong' || isOpened || isCue(first, ...ASKING) || isTold
    // "Which ward has the most schools and the fewest clinics", "for each ward, how many people and how many schools".
    const isLed = isCue(current[isCue(current[0], 'in') ? 1 : 0], 'per', 'each', 'by')
    const isOfUnit = isLed || (isCue(first, 'max', 'min') && current.some(isUnit))
    const isJoint = isAnd || item.mark !== ''
    const asksBefore = !isPlacePhrase(current) && current.some((each) => isTopic(each) || isCue(each, 'frames'))
    if (isJoint && hasTopic && isAsked && !isOfUnit && asksBefore) clauses.push([])
    if (!(isAnd && clauses.at(-1)?.length === 0)) clauses.at(-1)?.push(item)
  })
  return clauses.filter(({ length }) => length > 0)
}

/** "How many people live there": the clause points at the frames of the one before it. "Are there" does not. */
function pointsBack(words: readonly Word[], items: readonly Item[]): boolean {
  const [start, end] = [items[0]?.start ?? 0, Math.max(...items.map((item) => item.end)) + 2]
  const text = words.slice(Math.max(0, start - 1), end).map(({ word }) => word).join(' ') // prettier-ignore
  return /\b(them|those|it|their|its|they)\b|(?<!\b(is|are|was|were) )\bthere\b(?! (is|are)\b)/.test(text)
}

const LEADS = ['in', 'not', 'except'] as const

/** "In Marembe, how many people and how many schools", "how many people and how many schools in Marembe": both. */
function shareScope(read: readonly Clause[]): void {
  // "In Marembe and N'Dara, how many people live over 10 km from a clinic".
  const [lead] = read
  const isAlone = lead?.asks.length === 0 && isCue(lead.items[0], ...LEADS)
  if (lead && lead.places.length > 0 && (isAlone || beginsWithPlace(lead)))
    for (const each of read) each.asks = each.asks.map((ask) => ({ places: lead.places, ...ask }))
  const [source, ...more] = read.filter(({ where, places }) => where.length + places.length > 0)
  const items = source?.items ?? []
  const isLead = source === read[0] && (isCue(items[0], ...LEADS) || (source !== undefined && beginsWithPlace(source)))
  const isBehind = items.some((item, i) => item.kind === 'class' && isCue(items[i - 1], ...LEADS))
  const isTrail = source === read.at(-1) && items[0]?.mark === '' && isBehind
  // "How many schools and how many clinics, Lakeside LGA".
  const isApart = phrasesOf(items).some(isPlacePhrase)
  if (!source || more.length > 0 || !(isLead || isTrail || isApart)) return
  const { where, places } = source
  for (const each of read)
    if (each !== source)
      each.asks = each.asks.flatMap((ask) => [
        ...(source.hasWhole ? [ask] : []),
        { ...ask, where, ...(places.length > 0 ? { places } : {}) },
      ])
}

/** "Lakeside population and how many schools", "the LGA of Lakeside: ..." */
const beginsWithPlace = ({ items, places }: Clause): boolean =>
  places.length > 0 && [1, 2, 3].some((length) => isPlacePhrase(items.slice(0, length)))

/** The parts of a clause between its marks. */
const phrasesOf = (items: readonly Item[]): Item[][] => {
  const phrases: Item[][] = []
  for (const item of items)
    if (phrases.length === 0 || item.mark !== '') phrases.push([item])
    else phrases.at(-1)?.push(item)
  return phrases
}

const limits = ({ asks }: Clause): boolean =>
  asks.some(
    ({ where, places, operation }) =>
      where.length > 0 ||
      places ||
      /^(class|max|min|rank)$/.test(operation.op) ||
      (operation.op === 'by' && (operation.order ?? operation.having) !== undefined),
  )

function readingOf(read: readonly ReadClause[], words: readonly Word[]): Reading {
  const asks: Ask[] = []
  const unknown: string[] = []
  const unanswered: string[] = []
  const placed = new Set(read.flatMap(({ clause }) => clause.asks.flatMap(({ places = [] }) => places)))
  const isAsking = read.some(({ clause }) => clause.asks.length > 0)
  for (const { clause, isLost } of read) {
    const { asks: own } = clause
    // No figure is of a place that the question names.
    const isDropped = isAsking && clause.places.some((place) => !placed.has(place))
    const lost = unusedIn(clause)
    // No figure tests the conditions of a clause that asks for nothing: they are said.
    const all =
      isLost || isDropped || (own.length === 0 && clause.where.length > 0)
        ? [clause.items.map(({ text }) => text).join(' ')]
        : []
    unknown.push(...lost.unknown)
    unanswered.push(...lost.unanswered, ...all)
    const isNearest = lost.unknown.length + lost.unanswered.length + all.length > 0
    asks.push(...own.map((ask): Ask => (isNearest ? { ...ask, isNearest: true } : ask)))
  }
  const texts = asks.map((ask) => JSON.stringify(ask))
  const items = read.flatMap(({ clause }) => clause.items)
  // A profile is of all frames asked.
  const isExcluding = asks.length === 0 && read.some(({ clause }) => clause.places.some((place) => place.isExcluded))
  if (isExcluding) unanswered.push(items.map(({ text }) => text).join(' '))
  const isEmpty = asks.length + unknown.length + unanswered.length === 0
  const isCompared = items.some((item) => isCue(item, 'compare'))
  const isProfile =
    items.some((item) => isCue(item, 'profile', 'frames') || isUnit(item)) ||
    read.some(({ clause }) => clause.places.length > 0) ||
    (items.some((item) => isCue(item, 'which')) && words.some(({ word }) => /^(here|there)$/.test(word)))
  const wants = !isEmpty ? 'figures' : isProfile || isCompared ? 'profile' : 'nothing'
  const places = read.flatMap(({ clause }) => clause.places)
  return {
    asks: asks.filter((_, i) => texts.indexOf(texts[i] ?? '') === i),
    unknown: [...new Set(unknown)],
    unanswered: [...new Set(unanswered)],
    readAs: items.flatMap(({ text, near }) => (near === undefined ? [] : [{ words: text, name: near }])),
    // A profile is of the place, even where no frame lies there.
    places: wants === 'profile' ? places.map(({ otherwise: _class, ...place }) => place) : places,
    wants,
  }
}

/** The words of a question as edges of the chart: names of the catalogue and of the index, numbers, units of measure and cues. */
import { unitOfMeasureAt, unitOfMeasureNamed } from '../../numbers/index.js'
import { LEVEL_NOUNS, type UnitLevel, UNIT_LEVELS } from '../../place.js'
import { placeName } from '../../place-name.js'
import { defined } from '../../defined.js'
import type { Catalogue } from './catalogue.js'
import type { Edge, Skip } from './chart.js'
import { CUES, cuesAt, isArticle, isFreeWord, levelCalled, ORDERS } from './cues.js'
import { framesOfCall, restated, type Whole } from './frames-of-call.js'
import { type NameMeaning, namesIn } from './names.js'
import type { NamedPlace } from './reading.js'
import { comparable, numberAt, numberIn } from './spelling.js'
import { hasYear, isAdded, isOfUnits, newestYear, type Topic, yesAndNo } from './topic.js'
import { fold, plainWordsOf, type Word } from './words.js'

/**
 * A word of the question; a mark is a word of its own. `near`: it is read as the word, for a slip of the keyboard.
 * `isGuess`: another word is spelled as nearly.
 */
export type Token = {
  word: string
  text: string
  before: string
  isFree: boolean
  at: number
  near?: string
  isGuess?: true
}
export type ClassNamed = { topic: Topic; value: string }
/** The levels that have units of the name, the largest first. A zone is no unit of the index. */
export type PlaceNamed = NamedPlace & { levels: { level: UnitLevel; names: string[] }[] }

export const NAMES: ReadonlySet<string> = new Set([
  'place', 'series', 'category', 'features', 'property', 'flag', 'kind', 'class', 'feature-class',
]) // prettier-ignore
/** The topics that a word names. */
export const topicsOf = ({ category, value }: Pick<Edge, 'category' | 'value'>): Topic[] =>
  category === 'place'
    ? []
    : category === 'class' || category === 'feature-class'
      ? [(value as ClassNamed).topic]
      : Array.isArray(value)
        ? (value as Topic[])
        : [value as Topic]

/** "Without an estimate" is no "without". */
const OF_RECORD = /^(estimates?|values?|data|figures?)$/
const isDenied = (words: readonly Word[], at: number) =>
  words.slice(Math.max(0, at - 5), at).some(({ word }) => /^(without|lack|lacks|lacking|no|missing|null)$/.test(word))

const MARKS = { weak: ',', strong: ';' } as const

export function tokensOf(catalogue: Catalogue, words: readonly Word[]): Token[] {
  const compared = comparable(catalogue, words)
  return words.flatMap(({ text, mark, isSlashed }, at): Token[] => {
    const { word = '', isGuess = false, isNear = false } = compared[at] ?? {}
    const isAsked = /^whom?$/.test(word) && (at === 0 || mark !== '' || words[at - 1]?.word === 'and')
    const isPolite = /^(could|would|may|might)$/.test(word) && [words[at - 1], words[at + 1]].some((each) => /^(you|i|we)$/.test(each?.word ?? '')) // prettier-ignore
    const own: Token = {
      word,
      text,
      before: words[at - 1]?.word ?? '',
      isFree: (isFreeWord(word) && !isAsked && !(OF_RECORD.test(word) && isDenied(words, at))) || isPolite,
      at,
      ...(isNear && { near: catalogue.slips?.has(words[at]?.word ?? '') ? placeName(word.toUpperCase()) : word }),
      ...(isGuess && { isGuess }),
    }
    const isMarked = mark !== '' && !isSlashed && at > 0
    const sign = isMarked ? [{ word: MARKS[mark], text: MARKS[mark], before: '', isFree: false, at: -1 }] : []
    return isArticle(word) ? sign : [...sign, own]
  })
}

/** `verbs`: the topics whose verb a word is. */
export type Lexicon = {
  edges: Edge[]
  skips: Skip[][]
  verbs: ReadonlyMap<number, readonly Topic[]>
  isKnown: (at: number) => boolean
}

export function lexiconOf(
  catalogue: Catalogue,
  words: readonly Word[],
  tokens: readonly Token[],
  whole: Whole,
): Lexicon {
  const edges = [...edgesOfLanguage(catalogue, tokens), ...edgesOfNames(catalogue, words, tokens)]
  const verbs = new Map(tokens.flatMap((_, at) => verbsOfNames(catalogue, tokens, edges, at)))
  // "The ward that keeps the most goats" has them; stores "owned by traders" are of that class.
  for (const at of verbs.keys()) {
    if (/^(by|for)$/.test(tokens[at + 1]?.word ?? ''))
      edges.push({ from: at, to: at + 2, category: 'belong', value: true, cost: 0, lost: [] })
    if (hasCue(tokens, at + 1, /^(most|least|more|fewer|bound)$/) || /^\d/.test(tokens[at + 1]?.word ?? ''))
      edges.push({ from: at, to: at + 1, category: 'with', value: tokens[at]?.word, cost: 0, lost: [] })
  }
  const skips = tokens.map(({ isFree }, at): Skip[] => [
    ...(isFree || isIdle(tokens, at) || verbs.has(at) ? [{ to: at + 1, cost: 0 }] : []),
    ...framesOfCall(catalogue, tokens, at, whole).map((to) => ({ to, cost: 0 })),
    ...restated(catalogue, tokens, at, whole).map((to) => ({ to, cost: 0 })),
  ])
  const known = new Set(edges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)))
  const here = skips.flatMap((own, from) =>
    own
      .filter(({ to }) => !(tokens[from]?.isFree && to === from + 1))
      .map(({ to }) => ({ from, to, category: 'here', value: true, cost: 0, lost: [] })),
  )
  return {
    edges: [...edges, ...here],
    skips,
    verbs,
    isKnown: (at) => known.has(at) && tokens[at]?.isGuess !== true && !isOtherYear(catalogue, tokens[at]),
  }
}

/** No topic has values of that year. */
const isOtherYear = ({ topics }: Catalogue, token: Token | undefined): boolean =>
  /^(19|20)\d\d$/.test(token?.word ?? '') && !topics.some((topic) => hasYear(topic, Number(token?.word)))

/** "Languages spoken": the verb of a name that stands beside it. */
const verbsOfNames = (
  { names: { verbs } }: Catalogue,
  tokens: readonly Token[],
  edges: readonly Edge[],
  at: number,
): [at: number, topics: readonly Topic[]][] => {
  const topics = verbs.get(tokens[at]?.word ?? '')
  if (!topics) return []
  const own = edges.filter(
    ({ category, value }) =>
      NAMES.has(category) && topicsOf({ category, value }).some((topic) => topics.includes(topic)),
  )
  // "How many languages are spoken in Marembe" asks for no average of its frames.
  const isOfFrames = tokens.some((_, i) => hasCue(tokens, i, OF_SINGLES))
  // "How much rain falls" does.
  const hasMean = own.some(({ category, value }) => category === 'series' && !(value as Topic[]).some((topic) => isAdded(topic) || unitOfMeasureNamed(topic.unit))) // prettier-ignore
  return own.length > 0 && (isOfFrames || !hasMean) ? [[at, topics]] : []
}
const OF_SINGLES = /^(average|median|highest|lowest|most|least|frames|each|by)$/
const MOVED = /^(change|grow|loss|gained)$/
const MOVING = /^(travel|travels|travelling|walk|walks|go|drive|drives|cycle|journey)$/
const hasCue = (tokens: readonly Token[], at: number, kinds: RegExp): boolean =>
  cuesAt(tokens.slice(at).map(({ word }) => word), 0).some(({ cue }) => kinds.test(cue.kind)) // prettier-ignore
const isOfArea = (tokens: readonly Token[], at: number) =>
  unitOfMeasureAt(
    tokens.map(({ word }) => word),
    at,
  )?.unit.dimension === 'area'
/** The next word that is not free. */
const nextAt = (tokens: readonly Token[], at: number) => tokens.findIndex(({ isFree, at: place }, i) => i > at && !(isFree && place >= 0)) // prettier-ignore

/** "And clinics?", "how many schools does the state have", "which LGA are we in", "no people at all". */
function isIdle(tokens: readonly Token[], at: number): boolean {
  const { word } = tokens[at] ?? { word: '' }
  const next = nextAt(tokens, at)
  const isPerfect = /^(have|has|had)$/.test(word) && tokens.some((_, i) => i > at && hasCue(tokens, i, MOVED))
  if (isPerfect && at === 0) return true
  // "Have to travel over 20 km", "have grown", "have between them".
  if (MOVING.test(word)) return hasCue(tokens, next, /^bound$/) || /^\d/.test(tokens[next]?.word ?? '')
  if (
    /^(have|has|had)$/.test(word) &&
    next > 0 &&
    (hasCue(tokens, next, /^(change|grow|loss|gained|total|average)$/) ||
      (/^(to|must)$/.test(tokens[next]?.word ?? '') && MOVING.test(tokens[nextAt(tokens, next)]?.word ?? '')))
  )
    return true
  if (/^(must|to)$/.test(word) && MOVING.test(tokens[next]?.word ?? '')) return true
  const rest = tokens.slice(at + 1)
  const end = rest.findIndex((token) => token.at === -1)
  const isLast = rest.slice(0, end < 0 ? rest.length : end).every(({ isFree }) => isFree)
  if (at === 0) return word === 'and' && rest.length > 0
  if (word === 'of' && tokens[at - 1]?.word === 'which') return true
  return (
    (/^(have|has|around|get|receive|hold)$/.test(word) && isLast) ||
    (word === 'in' &&
      isLast &&
      /^(which|what|#count (states?|lgas?|wards?))/.test(`${tokens[0]?.word} ${tokens[1]?.word}`)) ||
    (/^covers?$/.test(word) &&
      isLast &&
      (/^(this|it|they)$/.test(tokens[at]?.before ?? '') ||
        tokens.some((_, i) => hasCue(tokens, i, /^(land|size)$/) || isOfArea(tokens, i)))) ||
    (word === 'to' && rest.length > 0 && rest[0]?.isFree === true) ||
    (word === 'at' && rest[0]?.word === 'all')
  )
}

function edgesOfLanguage(catalogue: Catalogue, tokens: readonly Token[]): Edge[] {
  const plain = tokens.map(({ word }) => word)
  const edges: Edge[] = []
  const add = ([from, length]: readonly [number, number], category: string, value: unknown, cost = 0) =>
    edges.push({ from, to: from + length, category, value, cost, lost: tokens[from]?.isGuess ? [from] : [] })
  for (const [at, token] of tokens.entries()) {
    const { names, placeCues } = catalogue
    for (const { cue, length } of [CUES, names.cues, placeCues].flatMap((cues) => cuesAt(plain, at, cues))) {
      const { kind, ...own } = cue
      const value =
        'bound' in cue ? cue.bound : 'name' in cue ? own : /^(away|with|or)$/.test(kind) ? token.word : (ORDERS[kind] ?? true) // prettier-ignore
      const isOther = isOtherwise(kind, tokens, at + length) || isOtherUnit(kind, token)
      if (isOther) add([at, length], 'other', true)
      else add([at, length], kind, value)
    }
    // "To a school", "on a square mile": a rate.
    if (/^(on|to)$/.test(token.word) && /^an?$/.test(tokens[at + 1]?.before ?? '')) add([at, 1], 'rate', token.word)
    if (/^(live|lives|living|is|are|lie|lies|stand|stands)$/.test(token.word)) add([at, 1], 'verb', true)
    if (token.word === ',') add([at, 1], 'comma', true)
    if (/^(it|they|them|their|that|there)$/.test(token.word)) add([at, 1], 'pronoun', true)
    if (/^(last|previous)$/.test(token.word) && /^years?$/.test(plain[at + 1] ?? ''))
      for (const kind of ['year', 'lastYear']) add([at, 2], kind, String(newestYear(catalogue) - 1))
    // The catalogue or PLACE_WORDS may have the word.
    const level = levelCalled(token.word)
    const isOwn = placeCues.has(token.word) || catalogue.topics.some((topic) => topic.names.some((name) => levelCalled(fold(name)) === level)) // prettier-ignore
    if (level && !isOwn)
      edges.push({ from: at, to: at + 1, category: level, value: level, cost: 0, lost: [], readAs: LEVEL_NOUNS[level] })
    const number = numberAt(plain, at)
    const isYear = /^(19|20)\d\d$/.test(number?.value ?? '')
    if (number && isYear) add([at, number.length], 'year', number.value)
    if (number) add([at, number.length], 'number', number.value, isYear ? 1 : 0)
    const ordinal = ORDINALS.indexOf(token.word)
    if (ordinal > 0) add([at, 1], 'ordinal', ordinal + 1)
    const glued = numberIn(token.word)
    const own = glued?.unit ? unitOfMeasureAt([glued.unit], 0) : undefined
    if (glued && own) add([at, 1], 'quantity', { number: glued.number, unit: own.unit })
    if (glued?.unit === '%') add([at, 1], 'percentage', glued.number)
    if (glued && /^(st|nd|rd|th)$/.test(glued.unit) && Number(glued.number) > 0)
      add([at, 1], 'ordinal', Number(glued.number))
    for (const [value, end, isBefore] of namesAt(tokens, at)) {
      add([at, end - at], 'name', value)
      if (isBefore) add([at, end - at], 'proper', value)
    }
    const measure = unitOfMeasureAt(plain, at)
    if (measure) add([at, measure.length], 'measure', measure.unit)
  }
  return edges
}

/** "What is an urban index?" asks for no figure, and "the lowest estimate" for none of a frame. */
function isOtherwise(cue: string, tokens: readonly Token[], from: number): boolean {
  const next = tokens.slice(from).find(({ isFree }) => !isFree)
  if (cue === 'which') return /^an?$/.test(next?.before ?? '') || tokens[from]?.word === 'about'
  return /^(most|least|highest|lowest|most-of)$/.test(cue) && (tokens[from]?.word.startsWith('estimate') ?? false)
}

/** "The whole state" is that of the call, or another. */
const isOtherUnit = (kind: string, { text, before }: Token) =>
  /^(state|lga|ward)$/.test(kind) && (/^(whole|entire|this)$/.test(before) || /['’]s$/.test(text))

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

function edgesOfNames(catalogue: Catalogue, words: readonly Word[], tokens: readonly Token[]): Edge[] {
  const tokenAt = new Map(tokens.map(({ at }, i) => [at, i]))
  const spans = namesIn(comparable(catalogue, words), catalogue.names, catalogue.units)
  return spans.flatMap((span, place): Edge[] => {
    const { start, end, meanings, kind } = span
    const same = spans.filter((each) => each.start === start && each.end === end)
    const isFirst = spans.findIndex((each) => same.includes(each)) === place
    const from = tokenAt.get(start)
    const last = tokenAt.get(end - 1)
    if (from === undefined || last === undefined || kind === 'dataset') return []
    const text = words.slice(start, end).map((word, i) => tokens[tokenAt.get(start + i) ?? -1]?.near ?? word.text).join(' ') // prettier-ignore
    const lost = tokens.flatMap(({ isGuess, at }, i) =>
      (isGuess || span.isGuess) && at >= start && at < end ? [i] : [],
    )
    const all = [...fragmentsOf(meanings, same.flatMap((each) => each.meanings), text), ...(isFirst ? placesNamed(same.flatMap((each) => each.meanings), text) : [])] // prettier-ignore
    const isPart = spans.some((each) => isIn(each, start, end) && each.kind !== 'dataset' && !each.meanings.some(({ topic }) => meanings.some((own) => own.topic.series === topic.series))) // prettier-ignore
    const readAs = span.isHead ? meanings[0]?.topic.label : undefined
    return all.map((each) => ({
      ...each,
      cost: each.cost + (readAs ? HEAD : 0) + (isPart ? PART : 0),
      from,
      to: last + 1,
      lost,
      ...defined({ readAs }),
    }))
  })
}

const isIn = (other: { start: number; end: number }, start: number, end: number) =>
  other.start <= start && end <= other.end && other.end - other.start > end - start
const HEAD = 2
/** "Grain" of "grain stores": the longer name is meant. */
const PART = 3

type Named = { category: string; value: unknown; cost: number; readAs?: string }
const LEVEL_LABELS = { state: /^state$/i, lga: /^lga$/i, ward: /^ward$/i }

/** Two topics of one name are two edges. */
function fragmentsOf(meanings: readonly NameMeaning[], all: readonly NameMeaning[], text: string): Named[] {
  const isLevel = isOfLevel(text)
  const topics = meanings.flatMap(({ topic, value }) =>
    value === undefined && !(isLevel && isOfUnits(topic)) ? [topic] : [],
  )
  const classes = classesIn(meanings)
  const series = [...new Set(topics.map((topic) => topic.series))].map((name) =>
    topics.filter((topic) => topic.series === name),
  )
  const isCapital = /^\p{Lu}/u.test(text)
  const hasPlace = all.some(({ topic, value }) => value !== undefined && isOfUnits(topic))
  return [
    ...series.flatMap((same) => {
      const [topic] = same
      if (!topic) return []
      const { subject, type } = topic
      if (type === 'features') return [{ category: 'features', value: topic, cost: 0 }]
      if (subject.kind !== 'property') return [{ category: type === 'number' ? 'series' : 'category', value: type === 'number' ? same : topic, cost: isOfUnits(topic) ? 3 : 0 }] // prettier-ignore
      if (type === 'number') return [{ category: 'property', value: topic, cost: 0 }]
      return [{ category: yesAndNo(topic) ? 'flag' : 'kind', value: topic, cost: 0 }]
    }),
    ...classes.map((value) => ({ category: value.topic.subject.kind === 'property' ? 'feature-class' : 'class', value, cost: isCapital && hasPlace ? 4 : 0, ...defined({ readAs: whichOf(value, classesIn(all)) }) })), // prettier-ignore
  ]
}

/** A class of several categories: the answer says of which it is. "Main language of the state" is that of "Main language". */
function whichOf({ topic: { label }, value }: ClassNamed, all: readonly ClassNamed[]): string | undefined {
  const labels = [...new Set(all.map(({ topic }) => topic.label))]
  const others = labels.filter((each) => !each.startsWith(label) && !label.startsWith(each))
  return others.length === 0 ? undefined : `${label}: ${value} (which of: ${[label, ...others].join(', ')})`
}

/** These words are a level of the index. */
const isOfLevel = (text: string) =>
  cuesAt([plainWordsOf(text).join(' ')], 0).some(({ cue }) => /^(state|lga|ward)$/.test(cue.kind))

const classesIn = (meanings: readonly NameMeaning[]): ClassNamed[] =>
  meanings.flatMap(({ topic, value }) => (value !== undefined && !isOfUnits(topic) ? [{ topic, value }] : []))

/** In lower case, a word that is a class as well as a ward is the class. */
function placesNamed(meanings: readonly NameMeaning[], text: string): Named[] {
  const classes = classesIn(meanings)
  const isName = /^\p{Lu}/u.test(text) || classes.length === 0
  return placesOf(meanings, classes, text).map((value) => {
    const cost = isName || value.levels[0]?.level !== 'ward' ? 0 : 5
    return { category: 'place', value, cost }
  })
}

/** A name of units at several levels is one place; a class of the same name may be meant where no unit is. */
function placesOf(meanings: readonly NameMeaning[], classes: readonly ClassNamed[], text: string): PlaceNamed[] {
  const units = meanings.flatMap(({ topic, value }) =>
    value !== undefined && isOfUnits(topic) ? [{ topic, value }] : [],
  )
  if (units.length === 0) return []
  const levels = UNIT_LEVELS.flatMap((level) => {
    const names = units.flatMap(({ topic, value }) => (LEVEL_LABELS[level].test(topic.label) ? [value] : []))
    return names.length > 0 ? [{ level, names: [...new Set(names)] }] : []
  })
  const ofCatalogue = units.filter(({ topic }) => topic.subject.kind !== 'index')
  const named = ofCatalogue.length > 0 ? ofCatalogue : units
  const categories = named.map(({ topic: { subject, label }, value }) => ({ subject, label, value }))
  const other = classes.find(({ topic }) => topic.subject.kind === 'attribute')
  return [
    {
      text: text.replace(/['’]s$/, ''),
      categories,
      levels,
      ...(other && {
        otherwise: { subject: other.topic.subject, test: { test: 'class' as const, value: other.value } },
      }),
    },
  ]
}

/** Words with a capital are a name: the last of a feature is what it is, "Lagoon Road". */
function namesAt(tokens: readonly Token[], at: number): [name: string, end: number, isBefore: boolean][] {
  const isName = (token: Token | undefined) => /^\p{Lu}/u.test(token?.text ?? '')
  const found: [string, number, boolean][] = []
  if (at === 0) return found
  for (let end = at + 1; isName(tokens[end - 1]); end++)
    found.push([tokens.slice(at, end).map(({ word }) => word).join(' '), end, isName(tokens[end])]) // prettier-ignore
  return found
}

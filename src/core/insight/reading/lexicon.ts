/** The words of a question as edges of the chart: names of the catalogue and of the index, numbers, units of measure and cues. */
import { unitOfMeasureAt, unitOfMeasureNamed } from '../../numbers/index.js'
import { levelNoun, UNIT_LEVELS } from '../../place.js'
import { defined } from '../../defined.js'
import type { Catalogue } from './catalogue.js'
import type { Edge, Skip } from './chart.js'
import { CUES, cuesAt, isWordOfLanguage, levelCalled, ORDERS } from './cues.js'
import { framesOfCall, restated, type Whole } from './frames-of-call.js'
import { hasCue, isIdle, periodsAt, verbsOfNames } from './idle-words.js'
import { isOfLanguage, type NameMeaning, namesIn } from './names.js'
import { comparable, numberAt, numberIn } from './spelling.js'
import type { ClassNamed, PlaceNamed, Token } from './tokens.js'
import { hasYear, isOfUnits, layerOf, newestYear, type Topic, yesAndNo } from './topic.js'
import { fold, plainWordsOf, type Word } from './words.js'

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
  const periods = tokens.flatMap((_, at) => periodsAt(tokens, edges, at))
  for (const { from, topics } of periods) verbs.set(from, topics)
  const skips = tokens.map(({ isFree }, at): Skip[] => [
    ...(isFree || isIdle(tokens, at) || verbs.has(at) ? [{ to: at + 1, cost: 0 }] : []),
    ...periods.flatMap(({ from, to }) => (from === at ? [{ to, cost: 0 }] : [])),
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

const ADVERB = /^(still|yet|already|currently|now|really)$/
/** The cues that begin there. An adverb may stand between their words: "dont yet have". */
function phrasesAt({ names, placeCues }: Catalogue, tokens: readonly Token[], at: number): ReturnType<typeof cuesAt> {
  const places = tokens.flatMap(({ word }, i) => (i === at || (i > at && !ADVERB.test(word)) ? [i] : []))
  const plain = places.map((i) => tokens[i]?.word ?? '')
  const found = [CUES, names.cues, placeCues].flatMap((cues) => cuesAt(plain, 0, cues))
  return found.map(({ cue, length }) => ({ cue, length: (places[length - 1] ?? at) + 1 - at }))
}

function edgesOfLanguage(catalogue: Catalogue, tokens: readonly Token[]): Edge[] {
  const plain = tokens.map(({ word }) => word)
  // "Above 30%" is a bound of a share that the catalogue records, and else one of a share that the question forms.
  const percent = catalogue.topics
    .map(({ unit }) => unitOfMeasureNamed(unit))
    .find((unit) => unit?.dimension === 'share')
  const edges: Edge[] = []
  const add = ([from, length]: readonly [number, number], category: string, value: unknown, cost = 0) =>
    edges.push({ from, to: from + length, category, value, cost, lost: tokens[from]?.isGuess ? [from] : [] })
  for (const [at, token] of tokens.entries()) {
    for (const { cue, length } of phrasesAt(catalogue, tokens, at)) {
      const { kind, ...own } = cue
      const value =
        'bound' in cue ? cue.bound : 'name' in cue ? own : /^(away|with|or)$/.test(kind) ? token.word :  (ORDERS[kind] ?? true) // prettier-ignore
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
    const isOwn = catalogue.placeCues.has(token.word) || catalogue.topics.some((topic) => topic.names.some((name) => levelCalled(fold(name)) === level)) // prettier-ignore
    if (level && !isOwn)
      edges.push({ from: at, to: at + 1, category: level, value: level, cost: 0, lost: [], readAs: levelNoun(level) })
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
    if (glued?.unit === '%' && percent) add([at, 1], 'quantity', { number: glued.number, unit: percent })
    if (token.word === 'percent' && percent) add([at, 1], 'measure', percent)
    if (glued && /^(st|nd|rd|th)$/.test(glued.unit) && Number(glued.number) > 0)
      add([at, 1], 'ordinal', Number(glued.number))
    for (const [value, end, isBefore] of namesAt(tokens, at)) {
      add([at, end - at], 'name', value)
      if (isBefore) add([at, end - at], 'proper', value)
    }
    const measure = unitOfMeasureAt(plain, at)
    if (measure) add([at, measure.length], 'measure', measure.unit)
    if (measure && /^an?$/.test(token.before))
      add([at, measure.length], 'quantity', { number: '1', unit: measure.unit })
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
  const isInstitution = institutions(tokens, (at) => spans.some(({ start, end }) => start <= at && at < end))
  const edges = spans.flatMap((span, place): Edge[] => {
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
    const placed = isFirst && !isInstitution(last + 1) ? placesNamed(same.flatMap((each) => each.meanings), text) : [] // prettier-ignore
    const all = [
      ...fragmentsOf(
        meanings,
        same.flatMap((each) => each.meanings),
        text,
      ),
      ...placed,
    ]
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
  return [...edges, ...edges.flatMap((edge) => classesBefore(catalogue, tokens, edge))].flatMap((edge) => {
    const nouns = edges.filter((noun) => isNounOf(noun, edge) && !isOpenShare(tokens, edge.from, noun.to))
    return [edge, ...nouns.map(({ to, lost }) => ({ ...edge, to, lost: [...edge.lost, ...lost] }))]
  })
}

/** "Main roads": a word of the language is a class beside the features that it is a class of. */
function classesBefore({ topics }: Catalogue, tokens: readonly Token[], { category, value, from }: Edge): Edge[] {
  const { word = '' } = tokens[from - 1] ?? {}
  if (category !== 'features' || !isOfLanguage(word)) return []
  const isOwn = ({ subject, type }: Topic) => subject.kind === 'property' && type === 'category' && subject.layerId === layerOf(value as Topic) // prettier-ignore
  return topics.filter(isOwn).flatMap((topic) =>
    topic.classes
      .filter((each) => fold(each) === word)
      .map((own) => ({
        from: from - 1,
        to: from,
        category: 'feature-class',
        value: { topic, value: own },
        cost: 0,
        lost: [],
      })),
  )
}

/** "Elderly people": behind another name of people, the noun of their unit says nothing more. */
function isNounOf(noun: Edge, { category, value, to }: Edge): boolean {
  if (category !== 'series' || noun.category !== 'series' || noun.from !== to) return false
  const [[own], [other]] = [value as Topic[], noun.value as Topic[]]
  const { unit, names = [], counted = [], series } = other ?? {}
  return unit !== undefined && own?.unit === unit && own.series !== series && [...names, ...counted].includes(unit)
}

/** "Share of elderly people" may be one of people; that of those who live somewhere is none. */
function isOpenShare(tokens: readonly Token[], from: number, to: number): boolean {
  const plain = tokens.map(({ word }) => word)
  const isShare = plain.some((_, at) =>
    cuesAt(plain, at).some(({ cue, length }) => cue.kind === 'share' && at + length === from),
  )
  return isShare && !/^(live|lives|living|are|have)$/.test(plain[to] ?? '')
}

/** "The Marembe Herald" is no place: an unknown word with a capital follows the name. In a title, all words have one. */
function institutions(tokens: readonly Token[], isNamed: (at: number) => boolean) {
  const isCapital = ({ text }: Token) => /^\p{Lu}\p{Ll}/u.test(text)
  const isTitle = tokens.every((token) => token.isFree || token.at <= 0 || isCapital(token))
  return (next: number) => {
    const token = tokens[next]
    return !isTitle && !!token && isCapital(token) && !isNamed(token.at) && !isWordOfLanguage(token.word)
  }
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

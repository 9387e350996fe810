/** Finds the names of the catalogue in a question: as spans of its words, the longest first, never overlapping. */
import { unitOfMeasureNamed, WORD_VALUES } from '../../numbers/index.js'
import {
  type Cue,
  cueKinds,
  type Cues,
  cuesOfAdjectives,
  isFreeWord,
  isWordOfLanguage,
  WORDS_OF_LANGUAGE,
} from './cues.js'
import { areBandsOf, chosenTopics, isOfUnits, layerOf, topicsMeasuredIn, type Topic } from './topic.js'
import { COUNT, fold, plainWordsOf, type Word } from './words.js'

export type NameMeaning = { topic: Topic; value?: string }
/** A detail is a property of features, or a class of one. */
type NameKind = 'topic' | 'class' | 'dataset' | 'detail'
/**
 * The words from `start` up to `end` are one name; it may mean several things. `isGuess`: the name has another ending,
 * and may mean something else: "farm" and "farming". `isHead`: it is a label without what narrows it: "rainfall" of
 * "Annual rainfall".
 */
type Span = { start: number; end: number; kind: NameKind; meanings: NameMeaning[]; isGuess: boolean; isHead: boolean }
type Name = { stems: string[]; words: Set<string>; kind: NameKind; meanings: NameMeaning[]; isHead?: true }
export type NameIndex = {
  byFirst: ReadonlyMap<string, Name[]>
  /** The names of each topic without the words between them. */
  ofTopics: readonly { topic: Topic; stems: readonly string[] }[]
  stems: ReadonlySet<string>
  /** The topics that have a verb, and the adjectives of the catalogue. */
  verbs: ReadonlyMap<string, readonly Topic[]>
  cues: Cues
  /** The words that may be misspelled. */
  vocabulary: readonly string[]
}

/** These words may be left out of a name, or stand between its words. */
const JOINING_WORDS =
  /^(the|a|an|of|in|on|at|to|from|for|is|are|do|does|did|here|there|this|these|it|get|take|go|whole|different|distinct)$/

const nameWords = (text: string): string[] => {
  const plain = plainWordsOf(text).filter((word) => !/^(19|20)\d\d$/.test(word))
  const telling = plain.filter((word) => !JOINING_WORDS.test(word))
  return telling.length > 0 ? telling : plain
}

/** "True" and "other" may be values of a property, and are words of the language. */
export const isOfLanguage = (text: string) =>
  plainWordsOf(text).every(
    (word) => isFreeWord(word) || cueKinds(word).length > 0 || /^(true|false|yes|no|\d+|\w)$/.test(word),
  )

/** A column may be called "a" or "No": as a name, it would take that word from every question. */
export const isOfGrammar = (text: string) => plainWordsOf(text).every((word) => isFreeWord(word) || isGrammar(word))
const isGrammar = (word: string) =>
  cueKinds(word).some((kind) => GRAMMAR.has(kind)) && !/^(name|list|number)$/.test(word)
const GRAMMAR: ReadonlySet<string> = new Set([
  'count', 'which', 'who', 'where', 'how', 'with', 'without', 'not', 'outside', 'except', 'only', 'per', 'each', 'by', 'of', 'in', 'from', 'and', 'or',
  'bound', 'other', 'more', 'fewer',
]) // prettier-ignore

/** The name of a class means the class. A synonym of features that only some of them have as a class is refused by the import. */
function ownNames(topic: Topic): string[] {
  const classes = new Set(topic.classes.map(fold))
  return topic.names.filter((name) => !classes.has(fold(name)))
}

/** "CENTRAL of OKE/ISALE" beside that of another state: a question names the LGA and the state, two places. */
const isToldApart = (value: string, classes: readonly string[]): boolean => {
  const [name = '', above] = value.split(' of ')
  return above !== undefined && classes.some((other) => other !== value && other.startsWith(`${name} of `))
}

export function nameIndex(topics: readonly Topic[], stems: ReadonlyMap<string, string>): NameIndex {
  const byKey = new Map<string, Name>()
  const words = new Set<string>()
  const stemmed = (plain: readonly string[]) => plain.map((word) => stems.get(word) ?? word)
  const keep = (plain: readonly string[], kind: NameKind, meaning: NameMeaning) => {
    const key = `${kind} ${stemmed(plain).join(' ')}`
    const name = byKey.get(key) ?? { stems: stemmed(plain), words: new Set<string>(), kind, meanings: [] }
    byKey.set(key, name)
    for (const word of plain) name.words.add(word)
    if (!name.meanings.some(({ topic, value }) => topic === meaning.topic && value === meaning.value))
      name.meanings.push(meaning)
  }
  const add = (text: string, kind: NameKind, meaning: NameMeaning) => {
    const plain = isOfGrammar(text) ? [] : nameWords(text)
    for (const word of plain) words.add(word)
    if (plain.length > 0) keep(plain, kind, meaning)
    // "Building density" and "density of buildings" are one name.
    if (kind === 'topic' && plain.length === 2) keep(plain.toReversed(), kind, meaning)
  }
  for (const topic of topics) for (const [text, kind, meaning] of namesOfTopic(topic, topics)) add(text, kind, meaning)
  const isTaken = (text: string) => byKey.has(`topic ${stemmed(nameWords(text)).join(' ')}`)
  for (const countedBy of COUNTED)
    for (const { topic, text } of countedNames(topics, countedBy, isTaken)) add(text, 'topic', { topic })
  for (const { topic, head } of headsOf(topics, (name) => stemmed(nameWords(name)).join(' '))) {
    const key = `topic ${stemmed([head]).join(' ')}`
    const meanings = [...(byKey.get(key)?.meanings ?? []), { topic }]
    byKey.set(key, { stems: stemmed([head]), words: new Set([head]), kind: 'topic', meanings, isHead: true })
    words.add(head)
  }
  const { verbs, cues } = wordsBeside(topics)
  for (const text of [...verbs.keys(), ...cues.keys()]) for (const word of text.split(' ')) words.add(word)
  const byFirst = new Map<string, Name[]>()
  for (const name of byKey.values()) {
    const [first = ''] = name.stems
    byFirst.set(first, [...(byFirst.get(first) ?? []), name])
  }
  return {
    byFirst,
    verbs,
    cues,
    ofTopics: topics.flatMap((topic) => topic.names.map((name) => ({ topic, stems: stemmed(nameWords(name)) }))),
    stems: new Set(stemmed([...words])),
    vocabulary: [...new Set([...words, ...WORDS_OF_LANGUAGE])].filter((word) => word.length > 3),
  }
}

type NamedMeaning = [text: string, kind: NameKind, meaning: NameMeaning]

function namesOfTopic(topic: Topic, topics: readonly Topic[]): NamedMeaning[] {
  const { subject, type, label, classes, unit, datasetNames } = topic
  if (subject.kind === 'property' && type === 'category') {
    // The names of single features are no classes of them.
    if (subject.property === 'name') return []
    const details = [{ text: label }, ...classes.map((value) => ({ text: value, value }))]
    return details.flatMap(({ text, ...value }): NamedMeaning[] =>
      isOfLanguage(text) ? [] : [[text, 'detail', { topic, ...value }]],
    )
  }
  const sameSeries = topics.filter(({ series }) => series === topic.series)
  // The part of a label before a comma is a name, too: "Population, 2026 estimate".
  const texts = ownNames(topic).flatMap((name) => [name, ...name.split(',').slice(0, -1)])
  // "2 to 5 km" is read as bounds, where the dataset has the number too.
  const hasNumber = topics.some((other) => layerOf(other) === layerOf(topic) && areBandsOf(topic, other))
  const values = hasNumber ? [] : classes.filter((value) => !isOfUnits(topic) || !isToldApart(value, classes))
  return [
    ...texts.flatMap((text) => sameSeries.map((same): NamedMeaning => [text, 'topic', { topic: same }])),
    ...(unit?.includes(' ') ? [[unit, 'topic', { topic }] satisfies NamedMeaning] : []),
    ...datasetNames.map((name): NamedMeaning => [name, 'dataset', { topic }]),
    ...values.map((value): NamedMeaning => [value, 'class', { topic, value }]),
  ]
}

/**
 * "People" is a name of what counts people, unless something else has the name or counts them too. "km" is none. A noun
 * goes before a unit: of those in people, one is counted by them.
 */
const COUNTED = [({ counted = [] }: Topic) => counted, ({ unit }: Topic) => (unit === undefined ? [] : [unit])] as const
function countedNames(
  topics: readonly Topic[],
  countedBy: (typeof COUNTED)[number],
  isTaken: (text: string) => boolean,
) {
  const isFree = (text: string, { series }: Topic) =>
    !isOfLanguage(text) &&
    !isTaken(text) &&
    topics.every((other) => other.series === series || !countedBy(other).includes(text))
  return topics.flatMap((topic) =>
    countedBy(topic).flatMap((text) =>
      isFree(text, topic)
        ? topics.filter(({ series }) => series === topic.series).map((same) => ({ topic: same, text }))
        : [],
    ),
  )
}

/** The topics that have a verb, and the adjectives of the catalogue. */
function wordsBeside(topics: readonly Topic[]) {
  const verbs = new Map<string, Topic[]>()
  const cues = new Map<string, Cue[]>()
  for (const topic of topics) {
    // Who sells goods is a stall: the verb of a property is that of its features.
    const own = topics.filter((each) => each === topic || (topic.subject.kind === 'property' && each.type === 'features' && layerOf(each) === layerOf(topic))) // prettier-ignore
    for (const verb of (topic.verbs ?? []).flatMap(plainWordsOf)) verbs.set(verb, [...(verbs.get(verb) ?? []), ...own])
    // Nobody pays for a figure that the question does not name.
    for (const [text, cue] of topic.isPaid || !topic.adjectives ? [] : cuesOfAdjectives(topic.label, topic.adjectives))
      cues.set(plainWordsOf(text).join(' '), [...(cues.get(plainWordsOf(text).join(' ')) ?? []), cue])
  }
  return { verbs, cues }
}

const PREPOSITION = / (?:in|of|to|per|from|at|on|for|with|by) /
/** As a name, such a word says too little. */
const GENERAL =
  /^(class|type|kind|sort|category|index|code|id|name|number|count|share|rate|level|value|area|band|group|note)(e?s)?$/
/** One word of a label stands for all of it where no other name has the word: its last, or "literacy" of "Literacy rate". */
function headsOf(topics: readonly Topic[], stemmed: (text: string) => string): { topic: Topic; head: string }[] {
  const users = new Map<string, Set<string>>()
  for (const { names, classes, datasetNames, counted = [], series, subject } of topics)
    for (const name of [...names, ...classes, ...counted, ...(subject.kind === 'attribute' ? [] : datasetNames)])
      for (const word of stemmed(name).split(' ')) users.set(word, (users.get(word) ?? new Set()).add(series))
  return topics.flatMap((topic) => {
    const [label = ''] = topic.label.split(',')
    const plain = nameWords(label.replaceAll('_', ' ').split(PREPOSITION)[0] ?? '')
    const [before = '', last = ''] = plain.slice(-2)
    const head = plain.length === 2 && GENERAL.test(last) ? before : last
    const isOwn = users.get(stemmed(head))?.size === 1 && !topic.names.some((name) => stemmed(name) === stemmed(head))
    const isPlain = !/\bor\b/i.test(label) && !GENERAL.test(head) && !isOfLanguage(head) && !unitOfMeasureNamed(head)
    return plain.length > 1 && isOwn && isPlain ? [{ topic, head }] : []
  })
}

export const isKnownWord = ({ stems }: NameIndex, stemOf: (word: string) => string, word: string): boolean =>
  isWordOfLanguage(word) ||
  unitOfMeasureNamed(word) !== undefined ||
  WORD_VALUES.has(word) ||
  word === COUNT ||
  stems.has(stemOf(word))

/** A word as names are compared with it. */
export type Comparable = Pick<Word, 'word'> & {
  stem: string
  isBroken: boolean
  isGuess: boolean
  isNear: boolean
  isCapital: boolean
}
/** Phrases of a question that name units of the index, with what they mean. */
export type UnitMeanings = ReadonlyMap<string, readonly NameMeaning[]>

const PRIORITY: Record<NameKind, number> = { topic: 0, class: 0, dataset: 1, detail: 2 }

/** Every name at every place: they overlap. */
export function namesIn(words: readonly Comparable[], { byFirst }: NameIndex, units: UnitMeanings): Span[] {
  const found = words.flatMap(({ word, stem }, start) =>
    (byFirst.get(stem) ?? []).flatMap((name) => {
      // "Planted" is no "plants", and "good" no "goods": a word of the language is a name where it is spelled as one.
      if (name.stems.length === 1 && !name.words.has(word) && isOtherWord(word, name.words)) return []
      const end = endOfName(words, start, name.stems)
      if (end === undefined) return []
      const own = words.slice(start, end).filter((each) => name.stems.includes(each.stem))
      const isGuess =
        !isAsked(name) && own.some((each) => ![...name.words].some((known) => oneOf(known) === oneOf(each.word)))
      return [
        { start, end, kind: name.kind, meanings: freeFirst(name.meanings), isGuess, isHead: name.isHead === true },
      ]
    }),
  )
  return [
    ...found.filter((span) => !isPaid(span) || fitsNothingFree(words, span, found)),
    ...spansOfUnits(words, units),
  ]
}

/** A word may be the name of a small ward: it is read as one with a capital, or beside the word "ward". */
function spansOfUnits(words: readonly Comparable[], units: UnitMeanings) {
  return [...units].flatMap(([phrase, all]) => {
    const length = phrase.split(' ').length
    return words.flatMap(({ isCapital }, start) => {
      const own = words.slice(start, start + length)
      if (own.map(({ word }) => word).join(' ') !== phrase || own.slice(1).some(({ isBroken }) => isBroken)) return []
      const isName =
        isCapital || length > 1 || [start - 1, start + 1].some((at) => /^wards?$/.test(words[at]?.word ?? ''))
      const meanings = all.filter(({ topic }) => isName || topic.label !== 'Ward')
      return meanings.length > 0
        ? [{ start, end: start + length, kind: 'class' as const, meanings, isGuess: false, isHead: false }]
        : []
    })
  })
}

const isPaid = ({ meanings }: Pick<Span, 'meanings'>) => meanings.every(({ topic }) => topic.isPaid)

function freeFirst(meanings: NameMeaning[]): NameMeaning[] {
  const free = meanings.filter(({ topic }) => !topic.isPaid)
  return free.length > 0 ? free : meanings
}

/**
 * A name of a dataset that costs credits has a word of its own, which no free name in the question has: "how many
 * people live here" has none beside a free "people". The name of a free dataset, such as "peoples", names none of its
 * figures.
 */
function fitsNothingFree(words: readonly Comparable[], { start, end, kind }: Span, found: readonly Span[]): boolean {
  const own = words.flatMap(({ word }, i) => (i >= start && i < end && !isAsking(word) ? [i] : []))
  const isFree = (other: Span) =>
    PRIORITY[other.kind] <= Math.min(PRIORITY[kind], PRIORITY.dataset) &&
    !isPaid(other) &&
    own.every((i) => i >= other.start && i < other.end)
  return own.length > 0 && !found.some(isFree)
}

/** A name may be a question, whose verb has any form: "what grows". */
const isAsked = ({ words }: Name) => ['what', 'who', 'where', 'how'].some((word) => words.has(word))
const oneOf = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=ch|sh|x|ss)es$|(?<!s)s$/, '')

/** "Soil" of "Topsoil texture": no word narrows the label. */
export function isOfLabel(label: string, text: string): boolean {
  const words = plainWordsOf(label)
  const isOfKind = (word: string) => /^(of|types?|kinds?|sorts?|class|classes)$/.test(word)
  return plainWordsOf(text).every((word) => isOfKind(word) || words.some((each) => oneOf(each).endsWith(oneOf(word))))
}

const OF_FIGURES = /^(total|average|median|highest|lowest|most|least|common|spread|density|size|frames|state|lga|ward)$/
/** The word asks for a figure, or for nothing, and names no subject. */
const isAsking = (word: string): boolean =>
  isGrammar(word) ||
  cueKinds(word).some((kind) => OF_FIGURES.test(kind)) ||
  (isFreeWord(word) && !/^(values?|figures?|data|estimate[ds]?)$/.test(word))

const isOtherWord = (word: string, names: ReadonlySet<string>) =>
  isFreeWord(word) ||
  (/^.{3,}ed$/.test(word) && ![...names].some((name) => name.endsWith('ed'))) ||
  (isWordOfLanguage(word) && !names.has(`${word}s`) && !names.has(word.replace(/s$/, '')))

const BETWEEN_MAX = 7

/** The words of a name follow one another; only joining words may stand between them. */
function endOfName(words: readonly Comparable[], start: number, stems: readonly string[]): number | undefined {
  let place = start
  for (const stem of stems.slice(1)) {
    const last = place + BETWEEN_MAX
    place++
    while (words[place]?.stem !== stem) {
      const next = words[place]
      if (!next || next.isBroken || place > last || next.word === 'and' || !JOINING_WORDS.test(next.word))
        return undefined
      place++
    }
    if (words[place]?.isBroken) return undefined
  }
  return place + 1
}

type NamesOfCatalogue = { names: NameIndex; stemOf: (word: string) => string }

/** The first topic that has this name, which the question does not say: nobody pays for it. */
export function topicNamed({ names, stemOf }: NamesOfCatalogue, name: string): Topic | undefined {
  const wanted = plainWordsOf(name).map(stemOf)
  const named = names.ofTopics.filter(
    ({ topic, stems }) =>
      !topic.isPaid && stems.length === wanted.length && wanted.every((stem) => stems.includes(stem)),
  )
  return chosenTopics([...new Set(named.map(({ topic }) => topic))], [])[0]
}

/** Words of any way: "Straight-line distance to power lines" is to lines of power, and to no others. */
const OF_WAYS = /^(straight|line|distance|time|travel|way|to|from|the|nearest|closest)$/

/**
 * "5 km of a clinic", "30 minutes of a market": the topic in that unit that has all words of the name, or alone has one of
 * them, measures the way there.
 */
export function wayTo(
  catalogue: NamesOfCatalogue & { topics: readonly Topic[] },
  name: string,
  unit = 'km',
): Topic | undefined {
  const wanted = plainWordsOf(name).map(catalogue.stemOf)
  const ways = topicsMeasuredIn(catalogue, unit)
    .toSorted((a, b) => Number(a.isPaid === true) - Number(b.isPaid === true))
    .map((topic) => ({ topic, words: topic.names.flatMap(plainWordsOf).map(catalogue.stemOf) }))
  const [own] = ways.filter(({ words }) => wanted.every((word) => words.includes(word)))
  const near = ways.filter(({ words }) => wanted.some((word) => words.includes(word) && !OF_WAYS.test(word)))
  return (own ?? (near.length === 1 ? near[0] : undefined))?.topic
}

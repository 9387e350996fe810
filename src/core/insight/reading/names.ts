/** Finds the names of the catalogue in a question: as spans of its words, the longest first, never overlapping. */
import { cueKinds, isFreeWord, isWordOfLanguage, WORDS_OF_LANGUAGE } from './cues.js'
import { areBandsOf, chosenTopics, isOfUnits, layerOf, topicsMeasuredIn, type Topic } from './topic.js'
import { fold, plainWordsOf, type Word } from './words.js'

export type NameMeaning = { topic: Topic; value?: string }
/** A detail is a property of features, or a class of one. */
type NameKind = 'topic' | 'class' | 'dataset' | 'detail'
/** The words from `start` up to `end` are one name; it may mean several things. */
type Span = { start: number; end: number; kind: NameKind; meanings: NameMeaning[] }
type Name = { stems: string[]; words: Set<string>; kind: NameKind; meanings: NameMeaning[] }
export type NameIndex = {
  byFirst: ReadonlyMap<string, Name[]>
  /** The names of each topic without the words between them. */
  ofTopics: readonly { topic: Topic; stems: readonly string[] }[]
  stems: ReadonlySet<string>
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

/**
 * The name of a class means the class, and so does a synonym of features that only some of them have as a class. An
 * import refuses such a synonym. The name of the features means them all.
 */
function ownNames(topic: Topic, topics: readonly Topic[], stemmed: (words: readonly string[]) => string[]): string[] {
  const classes = new Set(topic.classes.map(fold))
  const stemsOf = (text: string) => stemmed(plainWordsOf(text)).join(' ')
  const ofFeatures = topics.flatMap((other) =>
    topic.type === 'features' && layerOf(other) === layerOf(topic) && other.label !== 'name' ? other.classes : [],
  )
  const narrow = new Set(ofFeatures.map(stemsOf).filter((name) => name !== stemsOf(topic.label)))
  return topic.names.filter((name) => !classes.has(fold(name)) && !narrow.has(stemsOf(name)))
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
  for (const topic of topics) {
    if (topic.subject.kind === 'property' && topic.type === 'category') {
      // The names of single features are no classes of them.
      if (topic.subject.property === 'name') continue
      if (!isOfLanguage(topic.label)) add(topic.label, 'detail', { topic })
      for (const value of topic.classes) if (!isOfLanguage(value)) add(value, 'detail', { topic, value })
      continue
    }
    const sameSeries = topics.filter(({ series }) => series === topic.series)
    for (const name of ownNames(topic, topics, stemmed)) {
      // The part of a label before a comma is a name, too: "Population, 2026 estimate".
      for (const text of [name, ...name.split(',').slice(0, -1)])
        for (const same of sameSeries) add(text, 'topic', { topic: same })
    }
    if (topic.unit?.includes(' ')) add(topic.unit, 'topic', { topic })
    for (const name of topic.datasetNames) add(name, 'dataset', { topic })
    // "2 to 5 km" is read as bounds, where the dataset has the number too.
    const hasNumber = topics.some((other) => layerOf(other) === layerOf(topic) && areBandsOf(topic, other))
    for (const value of hasNumber ? [] : topic.classes)
      if (!isOfUnits(topic) || !isToldApart(value, topic.classes)) add(value, 'class', { topic, value })
  }
  // "People" is a name of what counts people, unless something else has the name or counts them too. "km" is none.
  const isFree = (text: string, { series }: Topic) =>
    !isOfLanguage(text) &&
    !byKey.has(`topic ${stemmed(nameWords(text)).join(' ')}`) &&
    topics.every((other) => other.series === series || other.counted?.includes(text) !== true)
  const counted = topics.flatMap((topic) => (topic.counted ?? []).map((text) => ({ topic, text })))
  for (const { topic, text } of counted.filter((each) => isFree(each.text, each.topic))) add(text, 'topic', { topic })
  const byFirst = new Map<string, Name[]>()
  for (const name of byKey.values()) {
    const [first = ''] = name.stems
    byFirst.set(first, [...(byFirst.get(first) ?? []), name])
  }
  return {
    byFirst,
    ofTopics: topics.flatMap((topic) => topic.names.map((name) => ({ topic, stems: stemmed(nameWords(name)) }))),
    stems: new Set(stemmed([...words])),
    vocabulary: [...new Set([...words, ...WORDS_OF_LANGUAGE])].filter((word) => word.length > 4),
  }
}

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

type FoundSpan = Span & { stems: number; exact: number }

/** Every name at every place: they overlap. */
export function namesIn(words: readonly Comparable[], { byFirst }: NameIndex, units: UnitMeanings): FoundSpan[] {
  const found = words.flatMap(({ word, stem }, start) =>
    (byFirst.get(stem) ?? []).flatMap((name) => {
      // "Planted" is no "plants", and "good" no "goods": a word of the language is a name where it is spelled as one.
      if (name.stems.length === 1 && !name.words.has(word) && isOtherWord(word, name.words)) return []
      const end = endOfName(words, start, name.stems)
      if (end === undefined) return []
      const exact = words.slice(start, end).filter((each) => name.words.has(each.word)).length
      return [{ start, end, kind: name.kind, meanings: freeFirst(name.meanings), stems: name.stems.length, exact }]
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
      const span = { start, end: start + length, kind: 'class' as const, meanings, stems: length, exact: length }
      return meanings.length > 0 ? [span] : []
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

const OF_FIGURES = /^(total|average|median|highest|lowest|most|least|common|spread|density|size|frames|state|lga|ward)$/
/** The word asks for a figure, or for nothing, and names no subject. */
const isAsking = (word: string): boolean =>
  isGrammar(word) ||
  cueKinds(word).some((kind) => OF_FIGURES.test(kind)) ||
  (isFreeWord(word) && !/^(values?|figures?|data|estimate[ds]?)$/.test(word))

const isOtherWord = (word: string, names: ReadonlySet<string>) =>
  isFreeWord(word) ||
  (word.endsWith('ed') && ![...names].some((name) => name.endsWith('ed'))) ||
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

/**
 * One slip of the keyboard. Letters that changed places make no other word; a letter too many, too few or replaced may
 * make one, as horses and houses, so that the word is a guess.
 */
export function correctionOf(
  word: string,
  vocabulary: readonly string[],
): { word: string; isGuess: boolean } | undefined {
  if (word.length < 5 || /\d/.test(word)) return undefined
  const slips = vocabulary.map((meant) => ({ word: meant, slip: slipOf(word, meant) }))
  const found = slips.find(({ slip }) => slip === 'swapped') ?? slips.find(({ slip }) => slip === 'letter')
  return found && { word: found.word, isGuess: found.slip === 'letter' }
}

function slipOf(word: string, meant: string): 'swapped' | 'letter' | undefined {
  let same = 0
  while (same < word.length && word[same] === meant[same]) same++
  const [own, other] = [word.slice(same), meant.slice(same)]
  const swapped = `${own[1] ?? ''}${own[0] ?? ''}${own.slice(2)}`
  if (own.length > 1 && swapped === other) return 'swapped'
  const isLetter = own.slice(1) === other.slice(1) || own.slice(1) === other || own === other.slice(1)
  return same > 0 && isLetter ? 'letter' : undefined
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

/** `scale` turns the number of the question into the unit of the topic. */
export type Owner = { topic: Topic; scale?: string }

const paidLast = (a: Topic, b: Topic) => Number(a.isPaid === true) - Number(b.isPaid === true)

/** Bounds in metres and miles are compared with distances in km. */
const KILOMETRES: Readonly<Record<string, string>> = { m: '0.001', miles: '1.609344' }

/** "5 km of a clinic", "30 minutes of a market": the topic in that unit that has a word of the name measures the way there. */
export function wayTo(
  catalogue: NamesOfCatalogue & { topics: readonly Topic[] },
  name: string,
  units = 'km',
): Owner | undefined {
  const wanted = plainWordsOf(name).map(catalogue.stemOf)
  const named = (unit: string) =>
    topicsMeasuredIn(catalogue, unit)
      .toSorted(paidLast)
      .find(({ names }) => {
        const words = names.flatMap(plainWordsOf).map(catalogue.stemOf)
        return wanted.some((word) => words.includes(word))
      })
  const [topic, scale] = [named(units), KILOMETRES[units]]
  const distance = topic || scale === undefined ? undefined : named('km')
  return topic ? { topic } : distance && scale !== undefined ? { topic: distance, scale } : undefined
}

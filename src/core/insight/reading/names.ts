/** Finds the names of the catalogue in a question: as spans of its words, the longest first, never overlapping. */
import type { Topic } from './topic.js'
import { CUE_WORDS } from './cues.js'
import { FUNCTION_WORDS } from './lexicon.js'
import { fold, plainWordsOf } from './words.js'

export type NameMeaning = { topic: Topic; value?: string }
type NameKind = 'topic' | 'dataset' | 'class' | 'detail'
/** The words from `start` up to `end` are one name; it may mean several things. */
export type Span = { start: number; end: number; kind: NameKind; meanings: NameMeaning[] }
type Name = { stems: string[]; words: Set<string>; kind: NameKind; meanings: NameMeaning[] }
/** `stems` are of all words of names. `vocabulary` has the words that may be misspelled, by their first letter. */
export type NameIndex = {
  byFirst: ReadonlyMap<string, Name[]>
  /** Each name of a topic; `length` counts its words without those of the language. */
  ofTopics: readonly { topic: Topic; stems: ReadonlySet<string>; length: number }[]
  stems: ReadonlySet<string>
  vocabulary: ReadonlyMap<string, string[]>
}

/** These words count in a name: "how high" is not "high". Others may be left out, or stand between its words. */
const COUNTED = new Set([
  'how',
  'who',
  'what',
  'which',
  'no',
  'not',
  'number',
  'per',
  'far',
  'live',
  'speak',
  'up',
  'above',
  'below',
  'under',
  'underneath',
  'beneath',
])
export const isFiller = (word: string) => FUNCTION_WORDS.has(word) && !COUNTED.has(word)

/** "How many", "no of" and "number of" are one word to names. */
const COUNT = '#count'
const COUNTS = [
  ['how', 'many'],
  ['number', 'of'],
  ['no', 'of'],
  ['nos', 'of'],
  ['count', 'of'],
]
const countAt = (words: readonly string[], i: number) =>
  COUNTS.some(([first, second]) => words[i] === first && words[i + 1] === second)

export function nameIndex(topics: readonly Topic[], stemsOfWords: ReadonlyMap<string, string>): NameIndex {
  const byKey = new Map<string, Name>()
  const words = new Set<string>()
  const keep = (plain: readonly string[], stems: string[], kind: NameKind, meaning: NameMeaning) => {
    const key = `${kind} ${stems.join(' ')}`
    const name = byKey.get(key) ?? { stems, words: new Set<string>(), kind, meanings: [] }
    byKey.set(key, name)
    for (const word of plain) name.words.add(word)
    if (!name.meanings.some(({ topic, value }) => topic === meaning.topic && value === meaning.value))
      name.meanings.push(meaning)
  }
  const add = (text: string, kind: NameKind, meaning: NameMeaning) => {
    const plain = plainWordsOf(text).filter((word) => !/^(19|20)\d\d$/.test(word))
    for (const word of plain) words.add(word)
    const stemmed = nameStems(plain, stemsOfWords)
    if (stemmed.length === 0) return
    keep(plain, stemmed, kind, meaning)
    // "Building density" and "density of buildings" are one name.
    if (kind === 'topic' && stemmed.length === 2) keep(plain, stemmed.toReversed(), kind, meaning)
  }
  const series = seriesOfTopics(topics)
  for (const topic of topics) {
    if (topic.subject.kind === 'property' && topic.type === 'category') {
      // The names of single features are no classes of them.
      if (topic.subject.property === 'name') continue
      for (const text of [topic.label, ...topic.classes]) if (!isOfLanguage(text)) add(text, 'detail', { topic })
      continue
    }
    const classes = new Set(topic.classes.map(fold))
    for (const name of topic.names) {
      // The name of a class means the class.
      if (classes.has(fold(name))) continue
      // The part of a label before a comma is a name, too: "Population, 2026 estimate".
      for (const text of name.includes(',') ? [name, name.slice(0, name.indexOf(','))] : [name])
        for (const same of series.get(topic.series) ?? []) add(text, 'topic', { topic: same })
    }
    if (topic.unit?.includes(' ')) add(topic.unit, 'topic', { topic })
    for (const name of topic.datasetNames) add(name, 'dataset', { topic })
    for (const value of topic.classes) add(value, 'class', { topic, value })
  }
  const byFirst = new Map<string, Name[]>()
  for (const name of byKey.values()) {
    const [first] = name.stems
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), name])
  }
  return {
    byFirst,
    ofTopics: topics.flatMap((topic) => topic.names.map((name) => nameOfTopic(topic, name, stemsOfWords))),
    stems: new Set([...words].map((word) => stemsOfWords.get(word) ?? word)),
    vocabulary: vocabularyOf(words),
  }
}

function nameOfTopic(topic: Topic, name: string, stems: ReadonlyMap<string, string>) {
  const plain = plainWordsOf(name)
  return {
    topic,
    stems: new Set(plain.map((word) => stems.get(word) ?? word)),
    length: plain.filter((word) => !isFiller(word)).length,
  }
}

function vocabularyOf(words: ReadonlySet<string>): ReadonlyMap<string, string[]> {
  const vocabulary = new Map<string, string[]>()
  for (const word of new Set([...words, ...CUE_WORDS])) {
    if (word.length < 5) continue
    const letter = word[0] ?? ''
    vocabulary.set(letter, [...(vocabulary.get(letter) ?? []), word])
  }
  return vocabulary
}

/** "true", "level" and "covered" are words of the language, too. */
const isOfLanguage = (text: string) =>
  plainWordsOf(text).every(
    (word) => FUNCTION_WORDS.has(word) || CUE_WORDS.has(word) || /^(true|false|yes|no|\d+|\w)$/.test(word),
  )

function seriesOfTopics(topics: readonly Topic[]): ReadonlyMap<string, Topic[]> {
  const series = new Map<string, Topic[]>()
  for (const topic of topics) series.set(topic.series, [...(series.get(topic.series) ?? []), topic])
  return series
}

const GRAMMAR = /^(the|a|an|of|in|on|at|to|for|is|are|do|does|did|here|there|this|these|it)$/

function nameStems(plain: readonly string[], stems: ReadonlyMap<string, string>): string[] {
  const merged: string[] = []
  for (let i = 0; i < plain.length; i++) {
    if (countAt(plain, i)) {
      merged.push(COUNT)
      i++
    } else merged.push(plain[i] ?? '')
  }
  // "What covers the land" is not "what ... land": its verb tells.
  const isQuestion = /^(what|which|who)$/.test(merged[0] ?? '')
  const telling = merged.filter((word) => (isQuestion ? !GRAMMAR.test(word) : !isFiller(word)))
  return (telling.some((word) => !COUNTED.has(word)) ? telling : merged).map((word) => stems.get(word) ?? word)
}

/** The words of the question as names are compared with: "how many" is one, with an empty second. */
export type Comparable = { word: string; stem: string; isBroken: boolean }[]

function mergeCounts(words: Comparable): Comparable {
  const plain = words.map(({ word }) => word)
  return words.map((each, i) => {
    if (countAt(plain, i)) return { ...each, word: COUNT, stem: COUNT }
    return i > 0 && countAt(plain, i - 1) ? { ...each, word: '', stem: '' } : each
  })
}

const PRIORITY: Record<NameKind, number> = { topic: 0, class: 0, dataset: 1, detail: 2 }

export function spansIn(words: Comparable, index: NameIndex): Span[] {
  const merged = mergeCounts(words)
  const found: (Span & { stems: number; exact: number })[] = []
  merged.forEach(({ word, stem }, start) => {
    for (const name of namesAt(index, stem, word)) {
      // "Good" is no "goods": a word of the language is a name only where it is spelled as the name is.
      if (name.stems.length === 1 && isOtherWord(word, name.words)) continue
      const end = endOfName(merged, start, name.stems)
      if (end !== undefined) {
        const exact = merged.slice(start, end).filter((each) => name.words.has(each.word)).length
        found.push({ start, end, kind: name.kind, meanings: name.meanings, stems: name.stems.length, exact })
      }
    }
  })
  found.sort(
    (a, b) => b.stems - a.stems || PRIORITY[a.kind] - PRIORITY[b.kind] || b.exact - a.exact || a.start - b.start,
  )
  const taken = new Set<number>()
  const spans: Span[] = []
  for (const { start, end, kind, meanings } of found) {
    const places = Array.from({ length: end - start }, (_, i) => start + i)
    if (places.some((place) => taken.has(place))) continue
    for (const place of places) taken.add(place)
    spans.push({ start, end, kind, meanings })
  }
  return spans.sort((a, b) => a.start - b.start)
}

/** "The biggest ethnic group" is the main one, where a name has that word. */
const MAIN = 'main'
const MAIN_WORDS = /^(biggest|largest|dominant|predominant|principal|leading|prevailing|chief|primary)$/
const namesAt = ({ byFirst }: NameIndex, stem: string, word: string): readonly Name[] => [
  ...(byFirst.get(stem) ?? []),
  ...(MAIN_WORDS.test(word) ? (byFirst.get(MAIN) ?? []).filter(({ stems }) => stems.length > 1) : []),
]

/** "Good" is no "goods", "apart" no "apartment" and "planted" no "plants"; "wards" are "ward". */
const isOtherWord = (word: string, names: ReadonlySet<string>) =>
  (word.endsWith('ed') && ![...names].some((name) => name.endsWith('ed'))) ||
  (isFiller(word) && !names.has(word)) ||
  (CUE_WORDS.has(word) && !names.has(word) && !names.has(`${word}s`) && !names.has(word.replace(/s$/, '')))

const BETWEEN_MAX = 6

/** The words of a name follow one another; only words that tell nothing may stand between them. */
function endOfName(words: Comparable, start: number, stems: readonly string[]): number | undefined {
  let place = start
  let between = 0
  for (const stem of stems.slice(1)) {
    place++
    while (place < words.length && words[place]?.stem !== stem) {
      const { word, isBroken } = words[place] ?? { word: '', isBroken: true }
      if (isBroken || word === 'and' || (word !== '' && !isFiller(word)) || ++between > BETWEEN_MAX) return undefined
      place++
    }
    if (place >= words.length || words[place]?.isBroken) return undefined
  }
  const counted = words[place]?.word === COUNT ? 1 : 0
  return place + 1 + counted
}

/** The names of the states, LGAs and wards of the index, as they are found in a question. */
import type { RowOf } from '../../db/index.js'
import type { unitNames } from '../../db/statements.js'
import { isOfGrammar, isOfLanguage, type NameMeaning, type UnitMeanings } from './names.js'
import type { Topic } from './topic.js'
import { nearest } from './slips.js'
import type { UnitLevel } from '../../place.js'
import { plainWordsOf } from './words.js'

/** By their plain words. No name has more words than `longest`. `counts`: so many units are in the index. */
export type UnitNames = {
  byWords: UnitMeanings
  longest: number
  words: ReadonlySet<string>
  counts: Record<UnitLevel, number>
}
/** The phrases of a question that name units, and which words of theirs are misspelled. */
type UnitsNamed = { units: UnitMeanings; slips: ReadonlyMap<string, string> }

const LABELS = { state: 'State', lga: 'LGA', ward: 'Ward' } as const

/** A level of units as a category whose classes are their names. */
const unitTopic = (figure: keyof typeof LABELS): Topic => ({
  subject: { kind: 'index', figure },
  label: LABELS[figure],
  names: [],
  datasetNames: [],
  type: 'category',
  summary: 'mode',
  unit: undefined,
  kind: 'frames',
  years: [],
  series: figure,
  classes: [],
})
const TOPICS = { state: unitTopic('state'), lga: unitTopic('lga'), ward: unitTopic('ward') }

export function unitNamesOf(rows: readonly RowOf<typeof unitNames>[]): UnitNames {
  const byWords = new Map<string, NameMeaning[]>()
  const counts = { state: 0, lga: 0, ward: 0 }
  let longest = 0
  for (const { level, name, units } of rows) {
    counts[level] += units
    const words = plainWordsOf(name)
    // A ward named "Total" or "2" would take that word from every question.
    if (isOfGrammar(name) || (words.length === 1 && isOfLanguage(name))) continue
    const key = words.join(' ')
    byWords.set(key, [...(byWords.get(key) ?? []), { topic: TOPICS[level], value: name }])
    longest = Math.max(longest, words.length)
  }
  return { byWords, longest, words: new Set([...byWords.keys()].flatMap((phrase) => phrase.split(' '))), counts }
}

const MISSPELLED_MIN = 6

/** A misspelled word alone is a place where no name of the catalogue is as near; beside other words of a name, it is one. */
export function unitsNamed(names: UnitNames, words: readonly string[], known: Known): UnitsNamed {
  const slips = new Map<string, string>()
  for (const [at, word] of words.entries()) {
    if (word.length < SHORTEST || known.isKnown(word) || names.words.has(word)) continue
    const meant = nearest(word, names.words)?.word
    if (meant === undefined) continue
    const corrected = words.with(at, meant)
    const own = phrasesAt(corrected, names.longest, at).filter((phrase) => names.byWords.has(phrase))
    const isLong = own.some((phrase) => phrase.includes(' '))
    if (isLong || (own.length > 0 && word.length >= MISSPELLED_MIN && (nearest(word, known.vocabulary)?.word ?? meant) === meant)) slips.set(word, meant) // prettier-ignore
  }
  const corrected = words.map((word) => slips.get(word) ?? word)
  const phrases = corrected.flatMap((_, at) => phrasesFrom(corrected, names.longest, at))
  const units = phrases.flatMap((phrase) => {
    const meanings = names.byWords.get(phrase)
    return meanings ? [[phrase, meanings] as const] : []
  })
  return { units: new Map(units), slips }
}

type Known = { isKnown: (word: string) => boolean; vocabulary: readonly string[] }
const SHORTEST = 4
const phrasesFrom = (words: readonly string[], longest: number, start: number): string[] =>
  Array.from({ length: longest }, (_, i) => words.slice(start, start + i + 1).join(' '))
/** The phrases that have the word of a place in them. */
const phrasesAt = (words: readonly string[], longest: number, at: number): string[] =>
  Array.from({ length: longest }, (_, back) => Math.max(0, at - back)).flatMap(
    (start) =>
    Array.from({ length: longest }, (_, i) => start + i + 1).flatMap((end) => (end > at && end <= words.length ? [words.slice(start, end).join(' ')] : [])), // prettier-ignore
  )

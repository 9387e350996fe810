/** The names of the states, LGAs and wards of the index, as they are found in a question. */
import type { RowOf } from '../../db/index.js'
import type { unitNames } from '../../db/statements.js'
import { isOfGrammar, isOfLanguage, type NameMeaning, type UnitMeanings } from './names.js'
import type { Topic } from './topic.js'
import { plainWordsOf } from './words.js'

/** By their plain words. No name has more words than `longest`. */
export type UnitNames = { byWords: UnitMeanings; longest: number }

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
  let longest = 0
  for (const { level, name } of rows) {
    const words = plainWordsOf(name)
    // A ward named "Total" or "2" would take that word from every question.
    if (isOfGrammar(name) || (words.length === 1 && isOfLanguage(name))) continue
    const key = words.join(' ')
    byWords.set(key, [...(byWords.get(key) ?? []), { topic: TOPICS[level], value: name }])
    longest = Math.max(longest, words.length)
  }
  return { byWords, longest }
}

/** The phrases of a question that name units. */
export function unitsNamed({ byWords, longest }: UnitNames, words: readonly string[]): UnitMeanings {
  const phrases = words.flatMap((_, start) =>
    Array.from({ length: longest }, (__, i) => words.slice(start, start + i + 1).join(' ')),
  )
  return new Map(
    phrases.flatMap((phrase) => {
      const meanings = byWords.get(phrase)
      return meanings ? [[phrase, meanings]] : []
    }),
  )
}

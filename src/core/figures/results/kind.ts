/** A kind of result: how its figures are labelled, valued and said. Each kind is one record, and RESULTS has all of them. */
import { STATISTIC_LABELS } from '../facet-text.js'
import { groupedCount, insideSentence, singularName } from '../figure-text.js'
import { nounPhrases, type Told, type Wordings } from '../nouns.js'
import { INDEX, type NamedFigure } from '../subject.js'
import type { Result, ResultOf } from '../typed.js'

export type Kind<Form extends Result['is']> = {
  label: (named: NamedFigure, result: ResultOf<Form>) => string
  /** `text` puts the unit behind a number. */
  value: (named: NamedFigure, result: ResultOf<Form>, text: (decimal: string) => string) => string
  /** Whole sentences: each is true alone, wherever it stands. */
  sentences: (told: Told, result: ResultOf<Form>, phrases: Phrases) => Wordings
}
export type Phrases = ReturnType<typeof nounPhrases>

export const labelled = ({ subject: { label } }: NamedFigure, words: string): string =>
  words === '' ? label : `${label}, ${words}`

/** The name of the subject, and the statistic behind it. The total of the index is its own. */
export const plainLabel = (named: NamedFigure): string => {
  const { figure, subject } = named
  const isOwn = subject.source.layerId === INDEX.layerId && figure.statistic === 'sum'
  return labelled(named, isOwn ? '' : (STATISTIC_LABELS[figure.statistic] ?? ''))
}

/** The figure is of the states, LGAs or wards of the index. */
export const isOfUnits = ({ source, typed: { named } }: Told): boolean =>
  source.layerId === INDEX.layerId && named.type === 'unit'

/** A property has a value for each feature: its figures are of features, each counted once. */
export function featurePhrases(told: Told) {
  const { named, recorded } = told.typed
  const many = insideSentence(named.features ?? '')
  const one = singularName(many)
  const counted = (number: number) => `${groupedCount(number)} ${number === 1 ? one : many}`
  const isPart = recorded && recorded.count < recorded.of
  const end = `${isPart ? `, recorded for ${recorded.count} of ${counted(recorded.of)}` : ''}.`
  return { ...nounPhrases(told, false), label: named.label, many, one, counted, end }
}

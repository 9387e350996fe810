/** A figure about a unit, as a person reads it, with what it was made from. */
import type { DatasetRow } from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import { INDEX } from '../figures/facets.js'
import { withUnit } from '../figures/figure-text.js'
import { insideSentence, singularName } from '../operations/subject.js'
import type { LabelledValue } from '../numbers/verify.js'
import { sourceOf, type FigurePlace, type PlaceSource, type UnitTarget, type UnitFact } from './scope.js'
import type { UnitPath } from './statements.js'

type UnitSource = PlaceSource & {
  layerId: string
  dataset: string
  attribute: string
  statistic: string
  /** Frames that record a value, of those in the unit; for features, frames with any. */
  recorded: number
  frames: number
  vintage?: string
}
/** A map lights these. */
export type NamedPlaces = { frames: readonly string[]; units: readonly UnitPath[] }

export type UnitFigure = LabelledValue & {
  source: UnitSource
  dataset?: DatasetRow
  path: UnitPath
  /** The value names single frames, or parts of the unit. */
  named?: NamedPlaces
  /** It helps to read the answer, which does not name it. */
  isDetail?: true
}

type Made = { place: FigurePlace; statistic: string; recorded: number; frames: number }

export const figureOfFact = (
  { dataset, attribute }: Pick<UnitFact, 'dataset' | 'attribute'>,
  { label, value }: LabelledValue,
  { place, ...made }: Made,
): UnitFigure => ({
  label,
  value,
  dataset,
  path: place.path,
  source: {
    ...sourceOf(place),
    layerId: dataset.layerId,
    dataset: dataset.name,
    attribute,
    ...made,
    ...(dataset.vintage === null ? {} : { vintage: dataset.vintage }),
  },
})

export const figureOfIndex = (
  attribute: string,
  { label, value }: LabelledValue,
  { place, ...made }: Made,
): UnitFigure => ({
  label,
  value,
  path: place.path,
  source: { ...sourceOf(place), ...INDEX, attribute, ...made },
})

const SUMMARY_WORDS: Readonly<Record<UnitFact['summary'], string>> = {
  sum: 'total',
  count: '',
  length: 'length',
  area: 'area',
  mean: 'average',
  weighted_mean: 'weighted average',
  mode: 'most common',
  none: '',
}

/** "Population, 2026 estimate, total, LAKESIDE". */
export const labelOf = (fact: UnitFact, words: string, { name }: Pick<UnitTarget, 'name'>): string =>
  [fact.label, words, name ?? ''].filter((part) => part !== '').join(', ')

export const wordsOfSummary = ({ summary }: UnitFact): string => SUMMARY_WORDS[summary]

export const isTotal = ({ summary }: UnitFact): boolean => summary === 'sum' || summary === 'count'

/** "3 schools", "51,848 people"; an average without a unit is a bare number. */
export function amountText(fact: UnitFact, decimal: string): string {
  const { unit, label } = fact
  if (unit !== null || !isTotal(fact)) return withUnit(decimal, unit)
  const noun = insideSentence(label)
  return `${groupThousands(decimal)} ${decimal === '1' ? singularName(noun) : noun}`
}

const framesOf = (part: number, whole: number): string =>
  `${groupThousands(String(part))} of ${groupThousands(String(whole))} frames`

/** A figure of a part of the frames must not pass for that of all. Features are not recorded on each frame. */
export const coverageText = (
  { dataset }: Pick<UnitFact, 'dataset'>,
  { recorded, frames }: { recorded: number; frames: number },
): string => (dataset.kind === 'frames' && recorded < frames ? `, recorded on ${framesOf(recorded, frames)}` : '')

export const recordedText = framesOf

/** "Per school", "per 10,000 people". */
export function perText({ unit, label }: UnitFact, times: string): string {
  const noun = unit ?? label.toLowerCase()
  return times === '1' ? `per ${singularName(noun)}` : `per ${groupThousands(times)} ${noun}`
}

/** A facet is a figure as a person reads it, with the source that it can be computed from again. */
import type { DatasetRow } from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import { frameCountText, frameText, percentText, shareText, tiedText, withUnit } from './figure-text.js'
import type { AttributeFigures, FeatureFigures, FigureStatistic } from './figures.js'
import type { Test } from '../reading/reading.js'
import { extreme, namedAttribute, namedFeatures, type Result, type TypedFigure } from './typed.js'
import type { UnitPath } from './frame-set.js'
import type { SentStatement } from './reads.js'
import type { LabelledValue } from '../numbers/verify.js'

/** `attribute` is "feature" for the features of a dataset; `property` then names a property of theirs. */
export type FigureSubject = { layerId: string; attribute: string; property?: string }
/** The figure is over the frames that pass. */
export type SourceCondition = FigureSubject & Test

/** With the frames of the answer, it is enough to compute the figure again. */
export type Source = {
  label: string
  layerId: string
  dataset: string
  attribute: string
  statistic: FigureStatistic
  /** This many of the frames record a value for the figure. */
  frames: number
  /** A weighted mean is weighted by "area" or by an attribute of the same dataset. */
  weight?: string
  /** A mode or a share counts this value. */
  class?: string
  /** The figure describes this one frame among several. */
  frameId?: string
  /** The figure describes this property of the features. */
  property?: string
  /** A ranking or a part is of this many frames. */
  n?: number
  /** A ranking begins with the highest or with the lowest. */
  order?: 'highest' | 'lowest'
  /** A ratio is per this other subject, and a change is from it. */
  other?: FigureSubject
  /** A ratio is per so many of the other: "1000". */
  times?: string
  /** The figure is of each unit or class that these are: an LGA, a settlement class. */
  by?: FigureSubject
  /** It names those of them that pass. */
  having?: Test
  /** The figure is over the frames that pass all of these. */
  where?: SourceCondition[]
  /** The catalogue may say which time the values describe. */
  vintage?: string
  /** The catalogue may say how the values were made. */
  method?: string
}
/**
 * A facet of the index itself has no dataset. `coverage`: how many of the frames that the figure is about record a
 * value for it.
 */
export type Facet = LabelledValue & {
  source: Source
  typed: TypedFigure
  category: string
  dataset?: DatasetRow
  coverage?: { frames: number; of: number }
  /** PostgreSQL got these for it. */
  statements?: readonly SentStatement[]
  /** The value names these units. */
  units?: readonly UnitPath[]
  /** Each group with its value, as far as a page lists them: the value names the first of them. */
  groups?: readonly { name: string; value: string; number: string }[]
}

/** The index itself gives these figures. */
export const INDEX = { layerId: 'frames', dataset: 'Frame index' }

/** Returns undefined where the attribute has no such figure. `askedFrames` counts the frames of the answer. */
export function attributeFacet(
  figures: AttributeFigures,
  statistic: FigureStatistic,
  askedFrames: number,
): Facet | undefined {
  const text = statisticText(figures, statistic, askedFrames)
  if (!text) return undefined
  const label = text.label === '' ? figures.label : `${figures.label}, ${text.label}`
  const source = attributeSource(figures, label, statistic, {
    frames: text.frames ?? figures.frames,
    ...(statistic === 'weighted_mean' && figures.weight !== null ? { weight: figures.weight } : {}),
    ...(text.class === undefined ? {} : { class: text.class }),
  })
  return facetOfAttribute(figures, { label, value: text.value, source, result: text.result }, askedFrames)
}

type AttributeText = LabelledValue & Pick<Facet, 'source'> & { result: Result }

/** A part of the frames records a value: the facet says how many. */
function facetOfAttribute(
  figures: AttributeFigures,
  { label, value, source, result }: AttributeText,
  askedFrames: number,
): Facet {
  const { dataset } = figures
  const { frames } = source
  const recorded = { count: frames, of: askedFrames }
  return {
    label,
    value,
    source,
    typed: { named: namedAttribute(figures), result, scope: [], frames: askedFrames, recorded },
    category: dataset.category,
    dataset,
    coverage: { frames, of: askedFrames },
  }
}

export const attributeSource = (
  { dataset, name, method }: Pick<AttributeFigures, 'dataset' | 'name' | 'method'>,
  label: string,
  statistic: FigureStatistic,
  more: Pick<Source, 'frames'> & Partial<Source>,
): Source => ({
  label,
  layerId: dataset.layerId,
  dataset: dataset.name,
  attribute: name,
  statistic,
  ...more,
  ...vintageOf(dataset),
  ...(method === null ? {} : { method }),
})

export const vintageOf = ({ vintage }: DatasetRow) => (vintage === null ? {} : { vintage })

type StatisticText = LabelledValue & { result: Result; frames?: number; class?: string }

/** A weight of zero or less, or none, leaves the frame out of the average. */
const weightedText = ({ weight, weightedMean, weightedFrames, unit }: AttributeFigures): StatisticText | undefined =>
  weightedMean === null
    ? undefined
    : {
        label: weight === 'area' ? 'average by area' : 'weighted average',
        value: withUnit(weightedMean, unit),
        frames: weightedFrames,
        result: { is: 'amount', number: weightedMean },
      }

const modeText = ({ classes, frames }: AttributeFigures): StatisticText | undefined => {
  const [first] = classes ?? []
  const tied = (classes ?? []).filter((each) => each.frames === first?.frames).map(({ value }) => value)
  return (
    first && {
      label: 'most common',
      value: `${tiedText(tied)} (${shareText(first.frames, frames)})`,
      class: first.value,
      result: { is: 'mode', classes: tied, count: first.frames, of: frames },
    }
  )
}

const VALUES_NAMED = 10

/** An attribute without a summary is told as it is recorded. */
function recordedText({ classes, frames, lowest, highest, unit }: AttributeFigures): StatisticText | undefined {
  if (lowest !== null && lowest === highest)
    return { label: '', value: withUnit(lowest, unit), result: { is: 'amount', number: lowest } }
  const [first] = classes ?? []
  if (!classes || !first) return undefined
  if (classes.length === 1) return { label: '', value: first.value, result: { is: 'text', value: first.value } }
  const shown = classes.slice(0, VALUES_NAMED).map(({ value, frames: count }) => ({ value, count }))
  const named = shown.map(({ value, count }) => `${value} (${frameCountText(count, frames)})`)
  const more = classes.length - named.length
  return {
    label: '',
    value: named.join('; ') + (more > 0 ? `; ${more} more` : ''),
    result: { is: 'classes', classes: shown, more, of: frames },
  }
}

const mostShareText = ({ classes, frames }: AttributeFigures): StatisticText | undefined => {
  const [first] = classes ?? []
  if (!first) return undefined
  const result: Result = { is: 'share', value: first.value, count: first.frames, of: frames }
  return {
    label: 'share of the most common',
    value: `${percentText(first.frames, frames)} %`,
    class: first.value,
    result,
  }
}

const oddText = ({ odd }: AttributeFigures): StatisticText | undefined => {
  const value = String(odd)
  const result: Result = { is: 'amount', number: value }
  return odd === 0 ? undefined : { label: 'values that are no number', value, frames: odd, result }
}

function statisticText(
  figures: AttributeFigures,
  statistic: FigureStatistic,
  askedFrames: number,
): StatisticText | undefined {
  const { unit, frames } = figures
  const decimalText = (label: string, decimal: string | null): StatisticText | undefined =>
    decimal === null ? undefined : { label, value: withUnit(decimal, unit), result: { is: 'amount', number: decimal } }
  const extremeText = (label: string, decimal: string | null, at: string | null, count: number) =>
    decimal === null
      ? undefined
      : { label, value: withUnit(decimal, unit) + frameText(at, count), result: extreme(decimal, at, count) }
  switch (statistic) {
    case 'sum':
      return decimalText('total', figures.sum)
    case 'mean':
      return decimalText('average', figures.mean)
    case 'weighted_mean':
      return weightedText(figures)
    case 'min':
      return extremeText('lowest', figures.lowest, figures.lowestFrame, figures.lowestFrames)
    case 'max':
      return extremeText('highest', figures.highest, figures.highestFrame, figures.highestFrames)
    case 'mode':
      return modeText(figures)
    case 'share':
    case 'mode_share':
      return mostShareText(figures)
    case 'value':
      return recordedText(figures)
    case 'odd':
      return oddText(figures)
    case 'count':
    case 'frames':
      return {
        label: 'recorded on',
        value: frameCountText(frames, askedFrames),
        result: { is: 'recorded', count: frames, of: askedFrames },
      }
    case 'median':
    case 'range':
    case 'rank':
    case 'part':
    case 'portion':
    case 'per_km2':
    case 'per':
    case 'change':
    case 'names':
    case 'extent':
    case 'passing':
      return undefined
  }
}

/** Says how many frames have one class of a category. */
export function classFacet(figures: AttributeFigures, value: string, askedFrames: number): Facet | undefined {
  const { frames, classes } = figures
  if (frames === 0) return undefined
  const having = classes?.find((each) => each.value === value)?.frames ?? 0
  const label = `${figures.label}, ${value}`
  const source = attributeSource(figures, label, 'share', { frames, class: value })
  const result: Result = { is: 'share', value, count: having, of: frames }
  return facetOfAttribute(figures, { label, value: shareText(having, frames), source, result }, askedFrames)
}

export function featureFacets(figures: FeatureFigures, askedFrames: number): Facet[] {
  const { dataset, features, frames } = figures
  const { name, category } = dataset
  const facet = (label: string, value: string, statistic: FigureStatistic, result: Result): Facet => ({
    label,
    value,
    source: featureSource(dataset, label, statistic, { frames }),
    typed: { named: namedFeatures(name), result, scope: [], frames: askedFrames },
    category,
    dataset,
  })
  return [
    facet(name, groupThousands(String(features)), 'count', { is: 'amount', number: String(features) }),
    facet(`${name}, frames that have any`, frameCountText(frames, askedFrames), 'frames', {
      is: 'recorded',
      count: frames,
      of: askedFrames,
    }),
  ]
}

export const featureSource = (
  dataset: DatasetRow,
  label: string,
  statistic: FigureStatistic,
  more: Pick<Source, 'frames'> & Partial<Source>,
): Source => attributeSource({ dataset, name: 'feature', method: null }, label, statistic, more)

/** A facet is a figure as a person reads it, with the source that it can be computed from again. */
import type { DatasetRow, FramesFigure } from '../db/statements.js'
import { groupThousands } from '../decimal.js'
import type { AttributeFigures, FeatureFigures, FigureStatistic } from './figures.js'
import type { Test } from './reading/reading.js'
import type { LabelledValue } from './verify.js'

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
  category: string
  dataset?: DatasetRow
  coverage?: { frames: number; of: number }
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
  const { dataset } = figures
  const coverage = { frames: source.frames, of: askedFrames }
  return { label, value: text.value, source, category: dataset.category, dataset, coverage }
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

type StatisticText = LabelledValue & { frames?: number; class?: string }

/** A weight of zero or less, or none, leaves the frame out of the average. */
const weightedText = ({ weight, weightedMean, weightedFrames, unit }: AttributeFigures): StatisticText | undefined =>
  weightedMean === null
    ? undefined
    : {
        label: weight === 'area' ? 'average by area' : 'weighted average',
        value: withUnit(weightedMean, unit),
        frames: weightedFrames,
      }

const modeText = ({ classes, frames }: AttributeFigures): StatisticText | undefined => {
  const [first] = classes ?? []
  const tied = (classes ?? []).filter((each) => each.frames === first?.frames).map(({ value }) => value)
  return (
    first && {
      label: 'most common',
      value: `${tiedText(tied)} (${shareText(first.frames, frames)})`,
      class: first.value,
    }
  )
}

const TIES_NAMED = 3

/** One class is not the most common where others are as common: "Loam and Clay, each". */
export function tiedText(names: readonly string[]): string {
  const [first = '', ...others] = names
  if (others.length === 0) return first
  return `${names.length > TIES_NAMED ? `${first} and ${others.length} others` : listText(names)}, each`
}

/** "A", "A and B", "A, B and C". */
export function listText(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`
}

const VALUES_NAMED = 10

/** An attribute without a summary is told as it is recorded. */
function recordedText({ classes, frames, lowest, highest, unit }: AttributeFigures): StatisticText | undefined {
  if (lowest !== null && lowest === highest) return { label: '', value: withUnit(lowest, unit) }
  const [first] = classes ?? []
  if (!classes || !first) return undefined
  if (classes.length === 1) return { label: '', value: first.value }
  const named = classes.slice(0, VALUES_NAMED).map((each) => `${each.value} (${frameCountText(each.frames, frames)})`)
  const others = classes.length > named.length ? `; ${classes.length - named.length} more` : ''
  return { label: '', value: named.join('; ') + others }
}

/** Names one of the frames that share an extreme, and counts the others. */
export const frameText = (frameId: string | null, frames: number): string => {
  if (frameId === null) return ''
  const others = frames === 1 ? '' : ` and ${frames - 1} ${frames === 2 ? 'other' : 'others'}`
  return ` in frame ${frameId}${others}`
}

function statisticText(
  figures: AttributeFigures,
  statistic: FigureStatistic,
  askedFrames: number,
): StatisticText | undefined {
  const { unit, frames, odd, classes } = figures
  const decimalText = (label: string, decimal: string | null, frame = ''): StatisticText | undefined =>
    decimal === null ? undefined : { label, value: withUnit(decimal, unit) + frame }
  const [first] = classes ?? []
  switch (statistic) {
    case 'sum':
      return decimalText('total', figures.sum)
    case 'mean':
      return decimalText('average', figures.mean)
    case 'weighted_mean':
      return weightedText(figures)
    case 'min':
      return decimalText('lowest', figures.lowest, frameText(figures.lowestFrame, figures.lowestFrames))
    case 'max':
      return decimalText('highest', figures.highest, frameText(figures.highestFrame, figures.highestFrames))
    case 'mode':
      return modeText(figures)
    case 'share':
    case 'mode_share':
      return (
        first && {
          label: 'share of the most common',
          value: `${percentText(first.frames, frames)} %`,
          class: first.value,
        }
      )
    case 'value':
      return recordedText(figures)
    case 'odd':
      return odd === 0 ? undefined : { label: 'values that are no number', value: String(odd), frames: odd }
    case 'count':
    case 'frames':
      return {
        label: 'recorded on',
        value: `${groupThousands(String(frames))} of ${groupThousands(String(askedFrames))} frames`,
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
  const { dataset, frames, classes } = figures
  if (frames === 0) return undefined
  const having = classes?.find((each) => each.value === value)?.frames ?? 0
  const label = `${figures.label}, ${value}`
  const source = attributeSource(figures, label, 'share', { frames, class: value })
  const coverage = { frames, of: askedFrames }
  return { label, value: shareText(having, frames), source, category: dataset.category, dataset, coverage }
}

export function featureFacets(figures: FeatureFigures, askedFrames: number): Facet[] {
  const { dataset, features, frames } = figures
  const { name, category } = dataset
  const facet = (label: string, value: string, statistic: FigureStatistic): Facet => ({
    label,
    value,
    source: featureSource(dataset, label, statistic, { frames }),
    category,
    dataset,
  })
  return [
    facet(name, groupThousands(String(features)), 'count'),
    facet(`${name}, frames that have any`, `${frames} of ${askedFrames} frames`, 'frames'),
  ]
}

export const featureSource = (
  dataset: DatasetRow,
  label: string,
  statistic: FigureStatistic,
  more: Pick<Source, 'frames'> & Partial<Source>,
): Source => attributeSource({ dataset, name: 'feature', method: null }, label, statistic, more)

/** The index knows how many frames there are, how large they are, and in which units they lie. */
export function indexFacets({ frames, area, states, lgas, wards }: FramesFigure): Facet[] {
  const facet = (label: string, value: string, attribute: string, statistic: FigureStatistic): Facet => ({
    label,
    value,
    source: { label, ...INDEX, attribute, statistic, frames },
    category: INDEX.dataset,
  })
  const unitFacets = (label: string, plural: string, names: string[] | null, attribute: string) =>
    !names
      ? []
      : names.length === 1
        ? [facet(label, names[0]?.split(', ')[0] ?? '', attribute, 'value')]
        : [facet(plural, `${names.length} ${plural}`, attribute, 'count')]
  return [
    facet('Frames', withUnit(String(frames), 'frames'), 'frame_id', 'count'),
    ...(area === null ? [] : [facet('Area', `${groupThousands(area)} km²`, 'geom', 'sum')]),
    ...unitFacets('State', 'states', states, 'state'),
    ...unitFacets('LGA', 'LGAs', lgas, 'lga'),
    ...unitFacets('Ward', 'wards', wards, 'ward'),
  ]
}

/** Rounds half up to one decimal, in whole numbers: a float would round some halves down. */
export function percentText(part: number, whole: number): string {
  const tenths = Math.floor((part * 2000 + whole) / (2 * whole))
  return tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`
}

export const frameCountText = (part: number, whole: number) => `${part} of ${whole} frames`
export const shareText = (part: number, whole: number) =>
  `${frameCountText(part, whole)}, ${percentText(part, whole)} %`

export function withUnit(decimal: string, unit: string | null): string {
  if (unit === null) return groupThousands(decimal)
  if (unit === 'year') return decimal
  return `${groupThousands(decimal)} ${decimal === '1' ? unitOfOne(unit) : unit}`
}

/** The unit beside the number 1: "language". */
export function unitOfOne(unit: string): string {
  if (unit === 'people') return 'person'
  return unit.replace(/^(\w+?)s\b/, '$1')
}

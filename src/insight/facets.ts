/** Facets: a figure as a person reads it, with the source that it can be computed from again. */
import type { DatasetRow, FramesFigure } from '../db/statements.js'
import { groupThousands } from '../decimal.js'
import type { AttributeFigures, FeatureFigures, Statistic } from './figures.js'
import type { LabelledValue } from './verify.js'

/** With the frames of the answer, it is enough to compute the figure again. */
export type Source = {
  label: string
  layerId: string
  dataset: string
  attribute: string
  statistic: Statistic
  /** This many of the frames record a value for the figure. */
  frames: number
  /** A weighted mean is weighted by "area" or by an attribute of the same dataset. */
  weight?: string
  /** A mode or a share counts this value. */
  class?: string
  /** The figure describes this one frame among several. */
  frameId?: string
  /** The catalogue may say which time the values describe. */
  vintage?: string
  /** The catalogue may say how the values were made. */
  method?: string
}
/** A facet of the index itself has no dataset. */
export type Facet = LabelledValue & { source: Source; category: string; dataset?: DatasetRow }

/** The index itself gives these figures. */
const INDEX = { layerId: 'frames', dataset: 'Frame index' }

/** Returns undefined where the attribute has no such figure. `askedFrames` counts the frames of the answer. */
export function attributeFacet(
  figures: AttributeFigures,
  statistic: Statistic,
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
  return { label, value: text.value, source, category: figures.dataset.category, dataset: figures.dataset }
}

export const attributeSource = (
  { dataset, name, method }: Pick<AttributeFigures, 'dataset' | 'name' | 'method'>,
  label: string,
  statistic: Statistic,
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

const vintageOf = ({ vintage }: DatasetRow) => (vintage === null ? {} : { vintage })

type StatisticText = LabelledValue & { frames?: number; class?: string }

function statisticText(
  figures: AttributeFigures,
  statistic: Statistic,
  askedFrames: number,
): StatisticText | undefined {
  const { unit, frames, odd, classes } = figures
  const decimalText = (label: string, decimal: string | null, frame?: string | null): StatisticText | undefined =>
    decimal === null ? undefined : { label, value: withUnit(decimal, unit) + (frame ? ` in frame ${frame}` : '') }
  const [first] = classes ?? []
  switch (statistic) {
    case 'sum':
      return decimalText('total', figures.sum)
    case 'mean':
      return decimalText('average', figures.mean)
    case 'weighted_mean':
      return decimalText(figures.weight === 'area' ? 'average by area' : 'weighted average', figures.weightedMean)
    case 'min':
      return decimalText('lowest', figures.lowest, figures.lowestFrame)
    case 'max':
      return decimalText('highest', figures.highest, figures.highestFrame)
    case 'mode':
      return (
        first && {
          label: 'most common',
          value: `${first.value} (${shareText(first.frames, frames)})`,
          class: first.value,
        }
      )
    case 'share':
      return (
        first && {
          label: 'share of the most common',
          value: `${percentText(first.frames, frames)} %`,
          class: first.value,
        }
      )
    case 'value':
      return classes?.length === 1 && first
        ? { label: '', value: first.value }
        : decimalText('', frames === 1 ? figures.sum : null)
    case 'odd':
      return odd === 0 ? undefined : { label: 'values that are no number', value: String(odd), frames: odd }
    case 'count':
    case 'frames':
      return {
        label: 'recorded on',
        value: `${groupThousands(String(frames))} of ${groupThousands(String(askedFrames))} frames`,
      }
  }
}

/** Says how many frames have one class of a category. `place` 0 is the most common class. */
export function classFacet(figures: AttributeFigures, place: number): Facet | undefined {
  const found = figures.classes?.[place]
  if (!found) return undefined
  const label = `${figures.label}, ${found.value}`
  const source = attributeSource(figures, label, 'share', { frames: figures.frames, class: found.value })
  const { dataset } = figures
  return { label, value: shareText(found.frames, figures.frames), source, category: dataset.category, dataset }
}

export function featureFacets(figures: FeatureFigures, askedFrames: number): Facet[] {
  const { dataset, features, frames } = figures
  const { layerId, name, category } = dataset
  const facet = (label: string, value: string, statistic: Statistic): Facet => ({
    label,
    value,
    source: { label, layerId, dataset: name, attribute: 'feature', statistic, frames, ...vintageOf(dataset) },
    category,
    dataset,
  })
  return [
    facet(name, groupThousands(String(features)), 'count'),
    facet(`${name}, frames that have any`, `${frames} of ${askedFrames} frames`, 'frames'),
  ]
}

/** The index knows how many frames there are, how large they are, and in which units they lie. */
export function indexFacets({ frames, area, states, lgas, wards }: FramesFigure): Facet[] {
  const facet = (label: string, value: string, attribute: string, statistic: Statistic): Facet => ({
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
function percentText(part: number, whole: number): string {
  const tenths = Math.floor((part * 2000 + whole) / (2 * whole))
  return tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`
}

const shareText = (part: number, whole: number) => `${part} of ${whole} frames, ${percentText(part, whole)} %`

export function withUnit(decimal: string, unit: string | null): string {
  if (unit === null) return groupThousands(decimal)
  return `${groupThousands(decimal)} ${decimal === '1' ? singular(unit) : unit}`
}

function singular(unit: string): string {
  if (unit === 'people') return 'person'
  return unit.replace(/^(\w+?)s\b/, '$1')
}

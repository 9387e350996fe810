/** The figures of frames, all computed in SQL, and how a person reads each. */
import type { Reads } from '../db/replicas/replicas.js'
import {
  figuresOfBaselines,
  figuresOfFeatures,
  figuresOfFrames,
  type AttributeFigure,
  type DatasetRow,
  type FeatureFigure,
  type FramesFigure,
} from '../db/statements.js'

export type Statistic =
  | 'sum'
  | 'mean'
  | 'weighted_mean'
  | 'min'
  | 'max'
  | 'mode'
  | 'share'
  | 'count'
  | 'frames'
  | 'value'
  | 'odd'

/** Where a figure comes from: with the frames of the answer, enough to compute it again. */
export type Source = {
  label: string
  layerId: string
  dataset: string
  attribute: string
  statistic: Statistic
  /** How many of the frames the figure stands on. */
  frames: number
  /** Of a weighted mean: "area", or the attribute of the same dataset that weights it. */
  weight?: string
  /** The value that is counted, where the figure is the share of one. */
  class?: string
  /** The one frame that the figure is of, where it is of one among several. */
  frameId?: string
  /** The time that the dataset tells of, and how its values were made: where recorded. */
  vintage?: string
  method?: string
}
export type Facet = { label: string; value: string; source: Source; category: string; dataset?: DatasetRow }

export type Figures = {
  frames: FramesFigure
  attributes: (AttributeFigure & { dataset: DatasetRow })[]
  features: (FeatureFigure & { dataset: DatasetRow })[]
}

/** The index itself, where a figure comes from no dataset. */
const INDEX = { layerId: 'frames', dataset: 'Frame index' }

export async function figuresOf(reads: Reads, ids: string[], seen: readonly DatasetRow[]): Promise<Figures> {
  const baselines = seen.filter(({ kind }) => kind === 'frames')
  const others = seen.filter(({ kind }) => kind !== 'frames')
  const layers = (some: readonly DatasetRow[]) => some.map(({ layerId }) => layerId)
  const [[frames], attributes, features] = await Promise.all([
    figuresOfFrames(reads, ids),
    figuresOfBaselines(reads, ids, layers(baselines)),
    figuresOfFeatures(reads, ids, layers(others)),
  ])
  return {
    frames: frames ?? { frames: 0, area: null, states: null, lgas: null, wards: null },
    attributes: attributes.flatMap((each) => withDataset(each, baselines)),
    // A dataset that has nothing here answers "none".
    features: others.map((dataset, i) => ({
      dataset,
      ...(features.find(({ layer }) => layer === i + 1) ?? { layer: i + 1, features: 0, frames: 0 }),
    })),
  }
}

function withDataset<Row extends { layer: number }>(row: Row, among: readonly DatasetRow[]) {
  const dataset = among[row.layer - 1]
  return dataset ? [{ ...row, dataset }] : []
}

export type AttributeOf = Figures['attributes'][number]

/** One facet of an attribute; undefined where it has no such figure. */
export function attributeFacet(figure: AttributeOf, statistic: Statistic, ofFrames: number): Facet | undefined {
  const told = telling(figure, statistic, ofFrames)
  if (!told) return undefined
  const label = told.label === '' ? figure.label : `${figure.label}, ${told.label}`
  const source = sourceOf(figure, label, statistic, {
    frames: told.frames ?? figure.frames,
    ...(statistic === 'weighted_mean' && figure.weight !== null ? { weight: figure.weight } : {}),
    ...(told.class === undefined ? {} : { class: told.class }),
  })
  return { label, value: told.value, source, category: figure.dataset.category, dataset: figure.dataset }
}

/** The source of a figure of an attribute. */
export const sourceOf = (
  { dataset, name, method }: Pick<AttributeOf, 'dataset' | 'name' | 'method'>,
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

type Told = { label: string; value: string; frames?: number; class?: string }

function telling(figure: AttributeOf, statistic: Statistic, ofFrames: number): Told | undefined {
  const { unit, frames, odd, classes } = figure
  const one = (label: string, number: string | null, frame?: string | null): Told | undefined =>
    number === null ? undefined : { label, value: withUnit(number, unit) + (frame ? ` in frame ${frame}` : '') }
  const [first] = classes ?? []
  switch (statistic) {
    case 'sum':
      return one('total', figure.sum)
    case 'mean':
      return one('average', figure.mean)
    case 'weighted_mean':
      return one(figure.weight === 'area' ? 'average by area' : 'weighted average', figure.weightedMean)
    case 'min':
      return one('lowest', figure.lowest, figure.lowestFrame)
    case 'max':
      return one('highest', figure.highest, figure.highestFrame)
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
          value: `${percent(first.frames, frames)} %`,
          class: first.value,
        }
      )
    case 'value':
      return classes?.length === 1 && first
        ? { label: '', value: first.value }
        : one('', frames === 1 ? figure.sum : null)
    case 'odd':
      return odd === 0 ? undefined : { label: 'values that are no number', value: String(odd), frames: odd }
    case 'count':
    case 'frames':
      return { label: 'recorded on', value: `${group(String(frames))} of ${group(String(ofFrames))} frames` }
  }
}

/** A class of a category: how many of the frames it was recorded on have it. */
export function classFacet(figure: AttributeOf, place: number): Facet | undefined {
  const found = figure.classes?.[place]
  if (!found) return undefined
  const label = `${figure.label}, ${found.value}`
  const source = sourceOf(figure, label, 'share', { frames: figure.frames, class: found.value })
  const { dataset } = figure
  return { label, value: shareText(found.frames, figure.frames), source, category: dataset.category, dataset }
}

export function featureFacets(figure: Figures['features'][number], ofFrames: number): Facet[] {
  const { layerId, name, category } = figure.dataset
  const facet = (label: string, value: string, statistic: Statistic): Facet => ({
    label,
    value,
    source: {
      label,
      layerId,
      dataset: name,
      attribute: 'feature',
      statistic,
      frames: figure.frames,
      ...vintageOf(figure.dataset),
    },
    category,
    dataset: figure.dataset,
  })
  return [
    facet(name, group(String(figure.features)), 'count'),
    facet(`${name}, frames that have any`, `${figure.frames} of ${ofFrames} frames`, 'frames'),
  ]
}

/** What the index says: how many frames, how large, which units. */
export function indexFacets({ frames, area, states, lgas, wards }: FramesFigure): Facet[] {
  const facet = (label: string, value: string, attribute: string, statistic: Statistic): Facet => ({
    label,
    value,
    source: { label, ...INDEX, attribute, statistic, frames },
    category: INDEX.dataset,
  })
  const units = (label: string, plural: string, names: string[] | null, attribute: string) =>
    !names
      ? []
      : names.length === 1
        ? [facet(label, names[0]?.split(', ')[0] ?? '', attribute, 'value')]
        : [facet(plural, `${names.length} ${plural}`, attribute, 'count')]
  return [
    facet('Frames', withUnit(String(frames), 'frames'), 'frame_id', 'count'),
    ...(area === null ? [] : [facet('Area', `${group(area)} km²`, 'geom', 'sum')]),
    ...units('State', 'states', states, 'state'),
    ...units('LGA', 'LGAs', lgas, 'lga'),
    ...units('Ward', 'wards', wards, 'ward'),
  ]
}

/** Rounded half up to a whole or one decimal, in whole numbers. */
function percent(part: number, whole: number): string {
  const tenths = Math.floor((part * 2000 + whole) / (2 * whole))
  return tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`
}

const shareText = (part: number, whole: number) => `${part} of ${whole} frames, ${percent(part, whole)} %`

function group(number: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(number) ?? []
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest
}

export function withUnit(number: string, unit: string | null): string {
  if (unit === null) return group(number)
  return `${group(number)} ${number === '1' ? singular(unit) : unit}`
}

function singular(unit: string): string {
  if (unit === 'people') return 'person'
  return unit.replace(/^(\w+?)s\b/, '$1')
}

/** Reads the usual figures of frames. Those of a unit or a box come from the totals that imports keep, and equal those of its frames. */
import {
  figuresOfBaselines,
  figuresOfFeatures,
  figuresOfFrames,
  type AttributeEntry,
  type AttributeFigure,
  type DatasetRow,
  type FeatureFigure,
  type FramesFigure,
} from '../../db/statements.js'
import { unitOf, type FrameSet } from './frame-set.js'
import { FEATURES_COUNTED, type Reads, type Total, type Totals } from './reads.js'

/** The index, each attribute and each feature dataset have figures of their own. SQL computes every figure. */
export type Figures = { frames: FramesFigure; attributes: AttributeFigures[]; features: FeatureFigures[] }
export type AttributeFigures = AttributeFigure & { dataset: DatasetRow }
export type FeatureFigures = FeatureFigure & { dataset: DatasetRow }

/** Keeps the figures of some datasets, and those of the index. */
export function figuresOfDatasets(
  { frames, attributes, features }: Figures,
  isKept: (dataset: DatasetRow) => boolean,
): Figures {
  const isOfKept = ({ dataset }: { dataset: DatasetRow }) => isKept(dataset)
  return { frames, attributes: attributes.filter(isOfKept), features: features.filter(isOfKept) }
}

/** Reads only the kept totals of a unit or a box. */
export const readFigures = async (reads: Reads, set: FrameSet, datasets: readonly DatasetRow[]): Promise<Figures> =>
  (await figuresOfPlace(reads, set)) ?? figuresOfIds(reads, set.frames, datasets)

async function figuresOfIds(reads: Reads, frames: string[], datasets: readonly DatasetRow[]): Promise<Figures> {
  const baselines = datasets.filter(({ kind }) => kind === 'frames')
  const others = datasets.filter(({ kind }) => kind !== 'frames')
  const layers = (some: readonly DatasetRow[]) => some.map(({ layerId }) => layerId)
  const [[ofIndex], attributes, features] = await Promise.all([
    reads.rows(figuresOfFrames, frames),
    reads.rows(figuresOfBaselines, frames, layers(baselines)),
    reads.rows(figuresOfFeatures, frames, layers(others)),
  ])
  return {
    frames: ofIndex ?? { frames: 0, area: null, states: null, lgas: null, wards: null },
    attributes: attributes.flatMap((row) => {
      const dataset = baselines[row.layer - 1]
      return dataset ? [{ ...row, dataset }] : []
    }),
    // A dataset without a feature on these frames has no row, and its figure is 0.
    features: others.map((dataset, i) => ({
      dataset,
      ...(features.find(({ layer }) => layer === i + 1) ?? { layer: i + 1, features: 0, frames: 0 }),
    })),
  }
}

/** A total has no extremes and no values that are no number: those are of single frames. */
export function figuresOfTotal(total: Total, entry: AttributeEntry): AttributeFigures {
  const { dataset, number, recorded, classes } = total
  const { summary } = entry
  const common = total.class === null ? null : [{ value: total.class, frames: total.classFrames ?? 0 }]
  return {
    ...entry,
    dataset,
    frames: recorded,
    odd: 0,
    sum: summary === 'sum' ? number : null,
    mean: summary === 'mean' ? number : null,
    weightedMean: summary === 'weighted_mean' ? number : null,
    weightedFrames: recorded,
    lowest: null,
    lowestFrame: null,
    lowestFrames: 0,
    highest: null,
    highestFrame: null,
    highestFrames: 0,
    classes: classes?.map((each) => ({ value: each.class, frames: each.frames })) ?? common,
  }
}

/** Undefined for ids. Datasets with a price have no totals here. */
async function figuresOfPlace(reads: Reads, set: FrameSet): Promise<Figures | undefined> {
  const known = await reads.totalsOf(set)
  if (!known) return undefined
  const attributes = await Promise.all(
    known.totals.map(async (total) => {
      if (total.dataset.kind !== 'frames' || total.recorded === 0) return []
      const entry = await reads.attributeOf(total.dataset.layerId, total.attribute)
      return entry ? [figuresOfTotal(total, entry)] : []
    }),
  )
  const features = known.totals
    .filter(({ dataset, attribute }) => dataset.kind !== 'frames' && attribute === FEATURES_COUNTED)
    .map(({ layer, dataset, number, recorded }) => ({ layer, dataset, features: Number(number), frames: recorded }))
  return { frames: framesOfPlace(set, known), attributes: attributes.flat(), features }
}

/** The units above those of the place are its own; those below are not listed. */
export function framesOfPlace(set: FrameSet, { frames, km2 }: Totals): FramesFigure {
  const [state, lga, ward] = unitOf(set) ?? []
  const named = (...names: (string | undefined)[]) =>
    names.includes(undefined) ? null : [names.map((name) => name?.toUpperCase()).join(', ')]
  return { frames, area: km2, states: named(state), lgas: named(lga, state), wards: named(ward, lga, state) }
}

/** Reads the figures of frames. SQL computes every figure; TypeScript only attaches its dataset. */
import type { Reader } from '../../db/replicas/reader.js'
import {
  figuresOfBaselines,
  figuresOfFeatures,
  figuresOfFrames,
  type AttributeFigure,
  type DatasetRow,
  type FeatureFigure,
  type FramesFigure,
} from '../../db/statements.js'

/** The index, each attribute and each feature dataset have figures of their own. */
export type Figures = { frames: FramesFigure; attributes: AttributeFigures[]; features: FeatureFigures[] }
export type AttributeFigures = AttributeFigure & { dataset: DatasetRow }
export type FeatureFigures = FeatureFigure & { dataset: DatasetRow }

export type FigureStatistic =
  | 'sum'
  | 'mean'
  | 'weighted_mean'
  | 'min'
  | 'max'
  | 'mode'
  | 'share'
  | 'mode_share'
  | 'count'
  | 'frames'
  | 'value'
  | 'odd'
  | 'median'
  | 'range'
  | 'rank'
  | 'part'
  | 'portion'
  | 'per_km2'
  | 'per'
  | 'change'
  | 'names'
  | 'extent'
  | 'passing'

export async function readFigures(
  reader: Reader,
  frameIds: string[],
  datasets: readonly DatasetRow[],
): Promise<Figures> {
  const baselines = datasets.filter(({ kind }) => kind === 'frames')
  const others = datasets.filter(({ kind }) => kind !== 'frames')
  const layers = (some: readonly DatasetRow[]) => some.map(({ layerId }) => layerId)
  const [[frames], attributes, features] = await Promise.all([
    figuresOfFrames(reader, frameIds),
    figuresOfBaselines(reader, frameIds, layers(baselines)),
    figuresOfFeatures(reader, frameIds, layers(others)),
  ])
  return {
    frames: frames ?? { frames: 0, area: null, states: null, lgas: null, wards: null },
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

/** Keeps the figures of some datasets, and those of the index. */
export function figuresOfDatasets(
  { frames, attributes, features }: Figures,
  isKept: (dataset: DatasetRow) => boolean,
): Figures {
  const isOfKept = ({ dataset }: { dataset: DatasetRow }) => isKept(dataset)
  return { frames, attributes: attributes.filter(isOfKept), features: features.filter(isOfKept) }
}

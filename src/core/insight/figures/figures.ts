/** The usual figures of frames. SQL computes every figure; TypeScript only attaches its dataset. */
import type { AttributeFigure, DatasetRow, FeatureFigure, FramesFigure } from '../../db/statements.js'

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

/** Keeps the figures of some datasets, and those of the index. */
export function figuresOfDatasets(
  { frames, attributes, features }: Figures,
  isKept: (dataset: DatasetRow) => boolean,
): Figures {
  const isOfKept = ({ dataset }: { dataset: DatasetRow }) => isKept(dataset)
  return { frames, attributes: attributes.filter(isOfKept), features: features.filter(isOfKept) }
}

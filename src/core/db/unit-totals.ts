/** The rows of the statements that read totals of units, boxes and shapes. */

/** A feature dataset has the attributes features, km (of lines) and km2 (of polygons). Numbers are decimals, as text. */
export type UnitTotal = {
  /** The place among the datasets asked for, from 1. */
  layer: number
  attribute: string
  label: string
  unit: string | null
  type: 'number' | 'category'
  summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none' | 'count' | 'length' | 'area'
  number: string | null
  /** The commonest class, where the summary is the mode. */
  class: string | null
  classFrames: number | null
  /** Frames that record a value; for features, frames with any. */
  recorded: number
  frames: number
  /** The 95 % interval of the total over whole frames, exactly; null where the dataset has no draws. */
  lower: string | null
  upper: string | null
  /** The land of the unit, to two places and exactly. */
  km2: string
  exactKm2: string
}
export type TotalLevel = 'country' | 'state' | 'lga' | 'ward' | 'block'
export type LevelTotal = Pick<UnitTotal, 'number' | 'class' | 'recorded' | 'frames'> &
  Record<'state' | 'lga' | 'ward', string | null> & { unitId: string; block: number | null }

export type ClassFrames = { class: string; frames: number }
/**
 * `layer` and what follows are null in the one row of no dataset. Classes come the most common first. `byArea` and
 * `km2Inside` take of each frame the share that lies inside.
 */
export type TotalOfArea = {
  blocks: number
  inBlocks: number
  onRim: number
  frames: number
  km2: string
  exactKm2: string
  km2Inside: string
} & (
  | { layer: null }
  | (Omit<UnitTotal, 'class' | 'classFrames'> & { byArea: string | null; classes: ClassFrames[] | null })
)

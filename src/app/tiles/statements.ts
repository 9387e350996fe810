/** Every read of tiles: the files of sql/tiles/ with the types of what goes in and comes out. */
import { statement } from '../../core/db/statement.js'

export type TileNumber = { z: number; x: number; y: number }
type Tile = [z: number, x: number, y: number]

/** `shape` is TWKB in whole units of the tile, with y to the south. Null: too small to draw. */
type TileShape = { shape: Buffer | null }
/** `value` is a number, which may have bounds, `class` the text of a category; both are null where nothing is recorded. */
type ColouredRow = { value: number | null; class: string | null; lower?: number | null; upper?: number | null }
/** How many frames record the attribute, how many there are, and how much land they have. */
type Covered = ColouredRow & { recorded: number; frames: number; km2: number }
export type FrameOfTile = TileShape & { id: string } & Partial<ColouredRow>

export type UnitOfTile = TileShape & {
  id: string
  state: string
  lga: string | null
  ward: string | null
} & Partial<Covered>

export type BlockOfTile = TileShape & { id: string; block: number } & Partial<Covered>

/** `no` is the place among the features of the dataset. `cut`: more of them lie in the tile. */
export type FeatureOfTile = TileShape & { dataset: string; no: number; id: string; cut: number | null }
export const featuresOfTile = statement<[...Tile, layers: string[], most: number, met: number], FeatureOfTile>(
  'tiles/features',
)

type ColouredTile = [...Tile, layer: string, attribute: string]

/** A map of the change reads these besides the later values. */
export type Before = { id: string; value: number; recorded?: number }
type BeforeArgs = [ids: string[], layer: string, attribute: string]
export const totalsOfUnits = statement<BeforeArgs, Before>('tiles/totals_of_units')
export const valuesOfFrames = statement<BeforeArgs, Before>('tiles/values_of_frames')

export const unitsOfTile = statement<Tile, UnitOfTile>('tiles/units')
export const unitsOfAttribute = statement<ColouredTile, UnitOfTile>('tiles/units_of_attribute')
export const blocksOfTile = statement<Tile, BlockOfTile>('tiles/blocks')
export const blocksOfAttribute = statement<ColouredTile, BlockOfTile>('tiles/blocks_of_attribute')
export const framesOfTile = statement<Tile, FrameOfTile>('tiles/frames')
export const framesOfAttribute = statement<ColouredTile, FrameOfTile>('tiles/frames_of_attribute')
export const framesOfFeatures = statement<[...Tile, layer: string], FrameOfTile>('tiles/frames_of_features')

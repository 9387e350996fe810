/** Rows of tiles. `shape` is TWKB in whole units of the tile, with y to the south; null where it is too small to draw. */
import type { RowOf } from '../../core/db/index.js'
import type * as read from './statements.js'

export type TileNumber = { z: number; x: number; y: number }

/** Without an attribute a tile has no values. `value` is a number, `class` the text of a category. */
export type FrameOfTile = RowOf<typeof read.framesOfTile> & Partial<RowOf<typeof read.framesOfAttribute>>
export type UnitOfTile = RowOf<typeof read.unitsOfTile> & Partial<RowOf<typeof read.unitsOfAttribute>>
export type BlockOfTile = RowOf<typeof read.blocksOfTile> & Partial<RowOf<typeof read.blocksOfAttribute>>
/** A map of the change reads these besides the later values. */
export type Before = RowOf<typeof read.valuesOfFrames> & Partial<RowOf<typeof read.totalsOfUnits>>

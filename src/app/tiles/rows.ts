/** Rows of tiles. `shape` is TWKB in whole units of the tile, with y to the south; null where it is too small to draw. */
import type { RowOf } from '../../core/db/index.js'
import type * as read from './statements.js'

export type FrameOfTile = RowOf<typeof read.framesOfTile>
export type UnitOfTile = RowOf<typeof read.unitsOfTile>

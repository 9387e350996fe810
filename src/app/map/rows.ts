/** Rows of the map that several functions name. The types of their columns come from the headers of sql/map/. */
import type { RowOf } from '../../core/db/index.js'
import type * as read from './statements.js'

/** `lga` is null for a state; `ward` is null for a state and for an LGA. */
export type UnitNames = RowOf<typeof read.neighboursOfUnit>
export type UnitFacts = RowOf<typeof read.unitFacts>
/** `alike` is 2 for the name that was typed, and less than 1 for a name that only resembles it. */
export type UnitFound = RowOf<typeof read.unitsNamed>

export type LegendRow = RowOf<typeof read.legendOfAttribute>
export type Density = RowOf<typeof read.densitiesOfAttribute>
/** Frames with the same number share a place, which is null in a large LGA. `mean` is that of the frames of the state. */
export type FrameAmong = RowOf<typeof read.frameAmong>
export type Outline = RowOf<typeof read.outlineOfIndex>

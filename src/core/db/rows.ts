/** Rows that several files name. The types of their columns come from the headers of sql/. */
import type { RowOf } from './statement.js'
import type * as read from './statements.js'

/** geometry and bbox are JSON text, sent as they are. */
export type FrameRow = RowOf<typeof read.framesById>
/** The tree of all states has no wards. */
export type TreeRow = RowOf<typeof read.adminTree> & Partial<RowOf<typeof read.adminTreeOfState>>
/** The index being served. A database restored from a backup gives a number again: the time tells both apart. */
export type IndexGeneration = RowOf<typeof read.indexGeneration>

/** `price` is null where reading costs nothing. Who reads the features of `distanceTo` reads it, at their price. */
export type DatasetRow = RowOf<typeof read.datasetsServed> & Pick<RowOf<typeof read.datasetsInReach>, 'price'>

/** `weightedFrames` have a weight above zero. The frame of an extreme is the lowest id of those that have it. */
export type AttributeFigure = RowOf<typeof read.figuresOfBaselines>
export type AttributeEntry = RowOf<typeof read.attributesOfDatasets>
/** A topic: an attribute, features, or a property of features. Only the first row has stems. */
export type CatalogueRow = RowOf<typeof read.catalogueOfDatasets>
/** One group of a figure. A quotient by nothing is null. */
export type FigureRow = RowOf<typeof read.figure>
export type SummaryRow = RowOf<typeof read.summary>
/** `isOnPath`: the unit lies inside the unit asked about, or has it inside. */
export type NamedUnit = RowOf<typeof read.unitsOfNames>

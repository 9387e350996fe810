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

/** Numbers are exact decimals, as text; units have the names of those above them after a comma. */
export type FramesFigure = RowOf<typeof read.figuresOfFrames>
/** `weightedFrames` have a weight above zero. The frame of an extreme is the lowest id of those that have it. */
export type AttributeFigure = RowOf<typeof read.figuresOfBaselines>
export type AttributeEntry = RowOf<typeof read.attributesOfDatasets>
/** A topic: an attribute, features, or a property of features. Only the first row has stems. */
export type CatalogueRow = RowOf<typeof read.catalogueOfDatasets>
/** Groups of one number share a rank. Only the mode has classes, the most common first. */
export type GroupFigure = RowOf<typeof read.figuresOfGroups>
export type SpreadRow = RowOf<typeof read.spreadOfSubject>
/** A quotient by nothing is null. */
export type ComparedSubjects = RowOf<typeof read.subjectsCompared>
export type PropertyFigure = RowOf<typeof read.propertyOfFeatures>
/** `isOnPath`: the unit lies inside the unit asked about, or has it inside. */
export type NamedUnit = RowOf<typeof read.unitsOfNames>

/** A feature dataset has the attributes features, km (of lines) and km2 (of polygons). The class is the commonest. */
export type UnitTotal = RowOf<typeof read.totalsOfUnit>
export type TotalLevel = Parameters<typeof read.totalsOfUnit>[1]
export type LevelTotal = RowOf<typeof read.totalsOfLevel>
/** `byArea` and `km2Inside` take of each frame the share that lies inside. One row of no dataset counts the frames. */
export type TotalOfArea = RowOf<typeof read.totalsOfArea>

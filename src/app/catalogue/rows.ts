/** Rows of the pages about datasets. The types of their columns come from the headers of sql/catalogue/. */
import type { RowOf } from '../../core/db/index.js'
import type * as read from './statements.js'

/** `isForEveryone`: the licence that counts is one for everyone. */
export type Described = RowOf<typeof read.datasetsDescribed>
/** An attribute or, where `summary` is null, a property of features. `lower` and `upper` are the attributes of its bounds. */
export type DatasetColumn = RowOf<typeof read.columnsOfDatasets>
/** `attribute` is one of a baseline or, for features, features, km or km2. Numbers are decimals, as text. */
export type CatalogueFigures = RowOf<typeof read.figuresOfDataset>
/** `recorded` is null for an attribute. A property that is a number has no value. */
export type ClassRow = RowOf<typeof read.classesOfDataset>

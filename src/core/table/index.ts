export { type Column, offeredColumns, type Offered, readColumns } from './columns.js'
export { type Form, givenCells, keptRows, tableText } from './kept.js'
export { openTable, type Table, type TableRow } from './rows.js'
export { type Told, toldOf } from './told.js'

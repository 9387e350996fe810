export {
  collectColumns,
  type FileFrame,
  FRAME_COLUMNS,
  recordedUnits,
  storedValue,
  type TableForm,
  TAKEN_NAMES,
  uniqueNames,
  type ValueColumn,
} from './columns.js'
export { collectionTexts, csvLines, featureLines } from './texts.js'
export { valuesOn } from './values.js'

/** SQLite and Parquet are loaded with the first file of their kind. */
export const writeGeoPackage: typeof import('./geopackage.js').writeGeoPackage = async (...args) =>
  (await import('./geopackage.js')).writeGeoPackage(...args)
export const writeGeoParquet: typeof import('./geoparquet.js').writeGeoParquet = async (...args) =>
  (await import('./geoparquet.js')).writeGeoParquet(...args)

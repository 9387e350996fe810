export {
  collectColumns,
  FEATURE_KEY,
  type FileItem,
  FRAME_COLUMNS,
  recordedUnits,
  storedValue,
  type TableForm,
  TAKEN_NAMES,
  uniqueNames,
} from './columns.js'
export { FILE_ENDINGS, type FileForm, formatOf } from './formats.js'
export { type WhatToRead, whileUnchanged } from './pages.js'
export { DATASET_FORMS, type DatasetForm, type FileStore, openFileStore } from './store.js'
export { collectionTexts } from './texts.js'
export { valuesOn } from './values.js'
export { writeItems } from './write.js'

/** SQLite and Parquet are loaded with the first file of their kind. */
export const writeGeoPackage: typeof import('./geopackage.js').writeGeoPackage = async (...args) =>
  (await import('./geopackage.js')).writeGeoPackage(...args)
export const writeGeoParquet: typeof import('./geoparquet.js').writeGeoParquet = async (...args) =>
  (await import('./geoparquet.js')).writeGeoParquet(...args)

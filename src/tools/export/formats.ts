/** Writes frames as a file of each format. */
import { fileWriter } from 'hyparquet-writer'
import {
  collectionTexts,
  csvLines,
  featureLines,
  type FileFrame,
  type TableForm,
  writeGeoPackage,
  writeGeoParquet,
} from '../../core/frame-file/index.js'
import { writeTexts } from './part.js'

export type ExportFormat = 'geojson' | 'geojsonl' | 'csv' | 'gpkg' | 'parquet'
export const FILE_ENDINGS = '.geojson, .geojsonl, .csv, .gpkg and .parquet'

/** Undefined for a name with another ending. */
export const formatOf = (file: string): ExportFormat | undefined =>
  /\.(geojson|geojsonl|csv|gpkg|parquet)$/i.exec(file)?.[1]?.toLowerCase() as ExportFormat | undefined

type Frames = AsyncIterable<FileFrame>

export const writers: Record<ExportFormat, (path: string, frames: Frames, table: TableForm) => Promise<void>> = {
  csv: (path, frames, table) => writeAll(path, csvLines(frames, table)),
  geojson: (path, frames, table) => writeAll(path, collectionTexts(frames, table)),
  geojsonl: (path, frames, table) => writeAll(path, featureLines(frames, table)),
  gpkg: writeGeoPackage,
  parquet: (path, frames, table) => writeGeoParquet(fileWriter(path), frames, table),
}

const writeAll = (path: string, texts: AsyncIterable<string>) =>
  writeTexts(path, async (add) => {
    for await (const text of texts) await add(text)
  })

/** Writes frames or features as a file of each form. GeoPackage and GeoParquet are loaded with the first file of theirs. */
import { open } from 'node:fs/promises'
import type { FileItem, TableForm } from './columns.js'
import { collectionTexts, csvLines, featureLines } from './texts.js'

export type FileForm = 'geojson' | 'geojsonl' | 'csv' | 'gpkg' | 'parquet'
const WRITE_BYTES = 1 << 20
export const FILE_ENDINGS = '.geojson, .geojsonl, .csv, .gpkg and .parquet'

/** Undefined for a name with another ending. */
export const formatOf = (file: string): FileForm | undefined =>
  /\.(geojson|geojsonl|csv|gpkg|parquet)$/i.exec(file)?.[1]?.toLowerCase() as FileForm | undefined

type Frames = AsyncIterable<FileItem>

export const writers: Record<FileForm, (path: string, frames: Frames, table: TableForm) => Promise<void>> = {
  csv: (path, frames, table) => writeAll(path, csvLines(frames, table)),
  geojson: (path, frames, table) => writeAll(path, collectionTexts(frames, table)),
  geojsonl: (path, frames, table) => writeAll(path, featureLines(frames, table)),
  gpkg: async (...args) => (await import('./geopackage.js')).writeGeoPackage(...args),
  parquet: async (path, frames, table) => {
    const { fileWriter } = await import('hyparquet-writer')
    await (await import('./geoparquet.js')).writeGeoParquet(fileWriter(path), frames, table)
  },
}

const writeAll = (path: string, texts: AsyncIterable<string>) =>
  writeTexts(path, async (add) => {
    for await (const text of texts) await add(text)
  })

type AddText = (text: string) => Promise<void>

export async function writeTexts<Answer>(path: string, work: (add: AddText) => Promise<Answer>): Promise<Answer> {
  const file = await open(path, 'w')
  try {
    let waiting = ''
    const answer = await work(async (text) => {
      waiting += text
      if (waiting.length < WRITE_BYTES) return
      await file.writeFile(waiting)
      waiting = ''
    })
    await file.writeFile(waiting)
    return answer
  } finally {
    await file.close()
  }
}

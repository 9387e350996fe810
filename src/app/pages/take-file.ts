/** The file of the frames that a person takes along: its rows, its columns and its formats. */
import type { Response } from 'express'
import type { DatasetRow, Reader } from '../../core/db/index.js'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { attributesOfDatasets, featuresPerFrame, framesById } from '../../core/db/statements.js'
import {
  collectColumns,
  collectionTexts,
  type FileItem,
  recordedUnits,
  storedValue,
  type TableForm,
  TAKEN_NAMES,
  uniqueNames,
  valuesOn,
  writeGeoPackage,
  writeGeoParquet,
} from '../../core/frame-file/index.js'
import { type Geometry, geometryBounds } from '../../core/geometry.js'
import { UNIT_COLUMNS } from '../../core/unit-fields.js'
import { type CsvColumns, sendRows } from '../shell/csv.js'

/** As many as a call of the API takes. */
const AT_ONCE = 100

/** Returns those of the ids that the index knows. */
export async function readFrames(
  reader: Reader,
  ids: readonly string[],
  datasets: readonly DatasetRow[],
): Promise<FileItem[]> {
  const frames: FileItem[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE)
    frames.push(...(await readSome(reader, ids.slice(from, from + AT_ONCE), datasets)))
  return frames
}

async function readSome(reader: Reader, ids: string[], datasets: readonly DatasetRow[]): Promise<FileItem[]> {
  const layers = layerIds(datasets)
  const [rows, values, counts] = await Promise.all([
    framesById(reader, ids),
    valuesOn(reader, ids, layers),
    layers.length > 0 ? featuresPerFrame(reader, ids, layers) : [],
  ])
  for (const found of values.values())
    for (const [i, { kind }] of datasets.entries()) if (kind !== 'frames') found[i] = { features: '0' }
  for (const { place, layer, features } of counts) {
    const found = values.get(ids[place - 1] ?? '')
    if (found) found[layer - 1] = { features: String(features) }
  }
  return rows.map((row) => ({
    id: row.id,
    geometry: JSON.parse(row.geometry) as Geometry,
    units: recordedUnits(row),
    values: values.get(row.id) ?? [],
  }))
}

/** Keeps the datasets that record something on at least one of the frames. */
export const datasetsRecording = (frames: readonly FileItem[], datasets: readonly DatasetRow[]): DatasetRow[] =>
  datasets.filter(({ kind }, i) =>
    frames.some(({ values }) => (kind === 'frames' ? values[i] : values[i]?.['features'] !== '0')),
  )

const layerIds = (datasets: readonly DatasetRow[]) => datasets.map(({ layerId }) => layerId)

/** A column for each attribute of the datasets, also of those that record nothing here. */
export async function tableFor(
  reader: Reader,
  frames: readonly FileItem[],
  datasets: readonly DatasetRow[],
): Promise<TableForm> {
  const layers = layerIds(datasets)
  const entries = layers.length === 0 ? [] : await attributesOfDatasets(reader, layers)
  const uniqueName = uniqueNames(TAKEN_NAMES)
  const collector = collectColumns(layers, (attribute, layer) => uniqueName(`${layer}.${attribute}`, layer))
  collector.add(
    datasets.map(({ kind }, i) =>
      kind === 'frames'
        ? Object.fromEntries(entries.filter(({ layer }) => layer === i + 1).map(({ name }) => [name, '']))
        : null,
    ),
  )
  for (const { values } of frames) collector.add(values)
  return { units: true, guards: true, columns: collector.columns() }
}

export const FILE_FORMATS = ['csv', 'geojson', 'gpkg', 'parquet'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

type FrameFile = { frames: readonly FileItem[]; table: TableForm }

/**
 * Makes the file, and returns what sends it: a file that cannot be made is not paid for. At most 5,000 frames stay in
 * memory.
 */
export async function makeFile(format: FileFormat, file: FrameFile): Promise<(res: Response) => Promise<void>> {
  const name = `frames-${file.frames.length}.${format}`
  if (format === 'csv') return (res) => sendRows(res, name, csvColumns(file.table), Readable.from([file.frames]))
  const { type, write } = WRITERS[format]
  const body = await write(file)
  return async (res) => {
    res.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` })
    res.end(body)
  }
}

const csvColumns = ({ columns }: TableForm): CsvColumns<FileItem> => ({
  frame_id: ({ id }) => id,
  ...Object.fromEntries(UNIT_COLUMNS.map((field) => [field, ({ units }: FileItem) => units[field] ?? null])),
  ...Object.fromEntries(
    ['west', 'south', 'east', 'north'].map((edge, i) => [
      edge,
      ({ geometry }: FileItem) => geometryBounds(geometry)[i] ?? null,
    ]),
  ),
  ...Object.fromEntries(columns.map((column) => [column.name, ({ values }: FileItem) => storedValue(values, column)])),
})

type Writer = { type: string; write: (file: FrameFile) => Promise<string | Uint8Array> }

/** Few people ask for the last two: a service without them does not load their writers. */
const WRITERS: Record<Exclude<FileFormat, 'csv'>, Writer> = {
  geojson: {
    type: 'application/geo+json; charset=utf-8',
    write: ({ frames, table }) => text(collectionTexts(frames, table)),
  },
  gpkg: { type: 'application/geopackage+sqlite3', write: geoPackage },
  parquet: { type: 'application/vnd.apache.parquet', write: geoParquet },
}

/** SQLite writes to a file. */
async function geoPackage({ frames, table }: FrameFile): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'frames-take-'))
  try {
    const path = join(folder, 'frames.gpkg')
    await writeGeoPackage(path, inTurns(frames), table)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** SQLite writes while the process waits: other requests have their turn between a hundred frames and the next. */
async function* inTurns(frames: readonly FileItem[]): AsyncGenerator<FileItem> {
  for (let from = 0; from < frames.length; from += AT_ONCE) {
    await setImmediate()
    yield* frames.slice(from, from + AT_ONCE)
  }
}

async function geoParquet({ frames, table }: FrameFile): Promise<Uint8Array> {
  const { ByteWriter } = await import('hyparquet-writer')
  const file = new ByteWriter()
  await writeGeoParquet(file, frames, table)
  return Buffer.from(file.getBytes())
}

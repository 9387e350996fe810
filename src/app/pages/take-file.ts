/** The file of the frames that a person takes along: its rows, its columns and its formats. */
import type { Response } from 'express'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { recordsOn, type DatasetRecords, type FrameRecords } from '../../core/datasets/records.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { attributesOfDatasets, framesById, intervalsOfFrames, type DatasetRow } from '../../core/db/statements.js'
import {
  collectColumns,
  recordedUnits,
  storedValue,
  TAKEN_NAMES,
  uniqueNames,
  type FileFrame,
  type TableForm,
} from '../../core/frame-file/columns.js'
import { collectionTexts } from '../../core/frame-file/texts.js'
import { geometryBounds, type Geometry } from '../../core/geometry.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import { sendRows, type CsvColumns } from '../shell/csv.js'

/** A frame with the records that its values come from. */
export type TakenFrame = FileFrame & FrameRecords

/** As many as a call of the API takes. */
const AT_ONCE = 100

/** Returns those of the ids that the index knows. */
export async function readFrames(
  reader: Reader,
  ids: readonly string[],
  datasets: readonly DatasetRow[],
): Promise<TakenFrame[]> {
  const frames: TakenFrame[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE)
    frames.push(...(await readSome(reader, ids.slice(from, from + AT_ONCE), datasets)))
  return frames
}

async function readSome(reader: Reader, ids: string[], datasets: readonly DatasetRow[]): Promise<TakenFrame[]> {
  const layers = layerIds(datasets)
  const [rows, found, intervals] = await Promise.all([
    framesById(reader, ids),
    recordsOn(reader, ids, datasets),
    layers.length > 0 ? intervalsOfFrames(reader, ids, layers) : [],
  ])
  const known = new Map(rows.map((row) => [row.id, row]))
  const bounds = new Map(intervals.map(({ place, layer, recorded }) => [`${place} ${layer}`, recorded]))
  return found.flatMap((frame, place): TakenFrame[] => {
    const row = known.get(frame.id)
    if (!row) return []
    const values = datasets.map((dataset, layer) =>
      valuesOf(dataset, frame.records.get(dataset), bounds.get(`${place + 1} ${layer + 1}`)),
    )
    return [{ ...frame, geometry: JSON.parse(row.geometry) as Geometry, units: recordedUnits(row), values }]
  })
}

function valuesOf(
  { kind }: DatasetRow,
  records: DatasetRecords | undefined,
  bounds = '{}',
): Record<string, string> | null {
  if (kind !== 'frames') return { features: String(records?.features?.length ?? 0) }
  if (records?.values === undefined) return null
  return {
    ...(JSON.parse(records.values) as Record<string, string>),
    ...(JSON.parse(bounds) as Record<string, string>),
  }
}

const layerIds = (datasets: readonly DatasetRow[]) => datasets.map(({ layerId }) => layerId)

/** A column for each attribute of the datasets, also of those that record nothing here. */
export async function tableFor(
  reader: Reader,
  frames: readonly FileFrame[],
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

type FrameFile = { frames: readonly FileFrame[]; table: TableForm }

/** 5,000 frames at most stay in memory: a fault of the database still has a page of its own. */
export async function sendFile(res: Response, format: FileFormat, file: FrameFile): Promise<void> {
  const name = `frames-${file.frames.length}.${format}`
  if (format === 'csv') return await sendRows(res, name, csvColumns(file.table), Readable.from([file.frames]))
  const { type, write } = WRITERS[format]
  const body = await write(file)
  res.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` })
  res.end(body)
}

const csvColumns = ({ columns }: TableForm): CsvColumns<FileFrame> => ({
  frame_id: ({ id }) => id,
  ...Object.fromEntries(UNIT_FIELDS.map((field) => [field, ({ units }: FileFrame) => units[field] ?? null])),
  ...Object.fromEntries(
    ['west', 'south', 'east', 'north'].map((edge, i) => [
      edge,
      ({ geometry }: FileFrame) => geometryBounds(geometry)[i] ?? null,
    ]),
  ),
  ...Object.fromEntries(columns.map((column) => [column.name, ({ values }: FileFrame) => storedValue(values, column)])),
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
  const { writeGeoPackage } = await import('../../core/frame-file/geopackage.js')
  const folder = await mkdtemp(join(tmpdir(), 'frames-take-'))
  try {
    const path = join(folder, 'frames.gpkg')
    await writeGeoPackage(path, frames, table)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function geoParquet({ frames, table }: FrameFile): Promise<Uint8Array> {
  const [{ ByteWriter }, { writeGeoParquet }] = await Promise.all([
    import('hyparquet-writer'),
    import('../../core/frame-file/geoparquet.js'),
  ])
  const file = new ByteWriter()
  await writeGeoParquet(file, frames, table)
  return Buffer.from(file.getBytes())
}

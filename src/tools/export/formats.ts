/** Writes frames as a file of each format. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileWriter } from 'hyparquet-writer'
import { csvCell } from '../../core/csv.js'
import { geometryBounds, type Geometry, polygonsOf, type Ring } from '../../core/geometry.js'
import { type FileColumn, writeGeoParquet } from '../../core/geoparquet.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import { storedValue, type TableForm } from './columns.js'
import type { ExportedFrame } from './frames.js'
import { writeTexts } from './part.js'

const writeParquet = (file: string, frames: AsyncIterable<ExportedFrame>, table: TableForm): Promise<void> =>
  writeGeoParquet(fileWriter(file), frames, [
    ...(table.units ? UNIT_FIELDS : []).map((name): FileColumn<ExportedFrame> => ({
      name,
      type: 'text',
      read: ({ units }) => units[name] ?? null,
    })),
    ...table.columns.map((column): FileColumn<ExportedFrame> => ({
      name: column.name,
      type: column.type,
      read: ({ values }) => storedValue(values, column),
    })),
  ])

export type ExportFormat = 'geojson' | 'geojsonl' | 'csv' | 'gpkg' | 'parquet'
export const FILE_ENDINGS = '.geojson, .geojsonl, .csv, .gpkg and .parquet'

/** Undefined for a name with another ending. */
export const formatOf = (file: string): ExportFormat | undefined =>
  /\.(geojson|geojsonl|csv|gpkg|parquet)$/i.exec(file)?.[1]?.toLowerCase() as ExportFormat | undefined

const FRAME_COLUMNS = ['frame_id', 'min_lon', 'min_lat', 'max_lon', 'max_lat', 'lon', 'lat', 'wkt']

/** Some format has a column of this name. Columns of values have the same names in all formats. */
export const TAKEN_NAMES = [...FRAME_COLUMNS, ...UNIT_FIELDS, 'id', 'fid', 'geom', 'geometry', 'bbox']

type Frames = AsyncIterable<ExportedFrame>

const runProgram = promisify(execFile)

export const writers: Record<ExportFormat, (path: string, frames: Frames, table: TableForm) => Promise<void>> = {
  csv: (path, frames, table) => writeAll(path, csvLines(frames, table)),
  geojson: (path, frames, table) => writeAll(path, collectionLines(frames, table)),
  geojsonl: (path, frames, table) => writeAll(path, featureLines(frames, table)),
  gpkg: async (path, frames, table) => {
    const features = `${path}.features`
    // ogr2ogr makes a column of an id that is a text.
    await writeAll(features, featureLines(frames, table, false))
    const shape = ['-nln', 'frame', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:4326']
    await runProgram('ogr2ogr', ['-f', 'GPKG', path, `GeoJSONSeq:${features}`, ...shape])
  },
  parquet: writeParquet,
}

export async function checkOgr(file: string): Promise<void> {
  try {
    await runProgram('ogr2ogr', ['--version'])
  } catch (error) {
    throw new Error(
      `${file}: a GeoPackage is written by ogr2ogr, which is not installed here (Debian: gdal-bin). Name the file .geojson, .geojsonl, .csv or .parquet, or install it.`,
      { cause: error },
    )
  }
}

const writeAll = (path: string, texts: AsyncIterable<string>) =>
  writeTexts(path, async (add) => {
    for await (const text of texts) await add(text)
  })

async function* featureLines(frames: Frames, table: TableForm, withId = true): AsyncGenerator<string> {
  for await (const frame of frames) yield `${featureLine(frame, table, withId)}\n`
}

async function* collectionLines(frames: Frames, table: TableForm): AsyncGenerator<string> {
  let before = '{"type":"FeatureCollection","features":[\n'
  for await (const frame of frames) {
    yield before + featureLine(frame, table)
    before = ',\n'
  }
  yield '\n]}\n'
}

async function* csvLines(frames: Frames, table: TableForm): AsyncGenerator<string> {
  yield csvHead(table)
  for await (const frame of frames) yield csvLine(frame, table)
}

/**
 * `id` is a text as in the API. `frame_id` is a whole number as in the views and in the other formats. A number stands as
 * it is stored, so that no digit changes. What is not recorded is left out.
 */
function featureLine(frame: ExportedFrame, { columns }: TableForm, withId = true): string {
  const { id, geometry, units, values } = frame
  const members = [member('frame_id', id)]
  for (const [name, value] of Object.entries(units)) members.push(member(name, JSON.stringify(value)))
  for (const column of columns) {
    const value = storedValue(values, column)
    if (value !== '') members.push(member(column.name, column.type === 'text' ? JSON.stringify(value) : value))
  }
  const shape = JSON.stringify({ type: 'Feature', ...(withId ? { id } : {}), geometry })
  return `${shape.slice(0, -1)},"properties":{${members.join(',')}}}`
}

const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`

export function csvHead({ units, guards, columns }: TableForm): string {
  const names = columns.map(({ name }) => csvCell(name, { guards }))
  return `${[...FRAME_COLUMNS, ...(units ? UNIT_FIELDS : []), ...names].join(',')}\n`
}

export function csvLine({ id, geometry, units, values }: ExportedFrame, table: TableForm): string {
  const polygons = polygonsOf(geometry)
  const [west, south, east, north] = geometryBounds(geometry)
  const names = table.units ? UNIT_FIELDS.map((unit) => units[unit] ?? '') : []
  const stored = table.columns.map((column) => storedValue(values, column))
  const texts = [wkt(geometry.type, polygons), ...names, ...stored].map((text) => csvCell(text, table))
  const numbers = [west, south, east, north, middle(west, east), middle(south, north)]
  return `${[id, ...numbers, ...texts].join(',')}\n`
}

/** The API gives seven decimals, too. */
const middle = (one: number, other: number) => Number(((one + other) / 2).toFixed(7))

function wkt(type: Geometry['type'], polygons: Ring[][]): string {
  const ring = (places: Ring) => `(${places.map((place) => place.join(' ')).join(',')})`
  const texts = polygons.map((rings) => `(${rings.map(ring).join(',')})`)
  return type === 'Polygon' ? `POLYGON${texts.join('')}` : `MULTIPOLYGON(${texts.join(',')})`
}

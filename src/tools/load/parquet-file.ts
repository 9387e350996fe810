/** Reads a GeoParquet file as the GeoJSON or the CSV that an import takes. */
import { statSync } from 'node:fs'
import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { markGeoColumns } from 'hyparquet/src/geoparquet.js'
import { csvCell } from '../../core/csv.js'
import type { Wanted } from './converted-file.js'

const ROWS_AT_ONCE = 5000

type Row = Record<string, unknown>
type GeoColumn = {
  encoding?: string
  crs?: { name?: string; id?: { authority?: string; code?: string | number } } | null
}
type Geo = { primary_column?: string; columns?: Record<string, GeoColumn> }

export async function* parquetBytes(path: string, wanted: Wanted): AsyncGenerator<Buffer> {
  if (statSync(path).size === 0) throw new Error(`${path}: the file is empty.`)
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file, { geoparquet: false }).catch(damaged(path))
  const all = namesOf(metadata)
  const shape = wanted === 'features' ? shapeColumn(path, metadata, all) : geoOf(metadata)?.primary_column
  if (wanted === 'features') markGeoColumns(metadata.schema, metadata.key_value_metadata)
  const names = all.filter((name) => name !== shape && name !== 'bbox')
  const columns = wanted === 'features' ? all : names
  if (wanted === 'table') yield Buffer.from(`${names.map((name) => csvCell(name, { guards: false })).join()}\n`)
  if (Number(metadata.num_rows) === 0) throw new Error(`${path}: there is no row in it.`)
  for (let rowStart = 0; rowStart < Number(metadata.num_rows); rowStart += ROWS_AT_ONCE) {
    const part = { rowStart, rowEnd: rowStart + ROWS_AT_ONCE }
    const rows = await parquetReadObjects({ file, metadata, columns, parsers: PARSERS, ...part }).catch(damaged(path))
    const lines = rows.map((row) => (wanted === 'table' ? csvLine(row, names) : featureLine(row, names, shape ?? '')))
    yield Buffer.from(lines.join(''))
  }
}

const damaged = (path: string) => (cause: unknown) => {
  throw new Error(`${path}: this is no Parquet file, or not the whole of one: copy it again.`, { cause })
}

/** The import refuses such a text as the geometry of its row. */
const PARSERS = {
  ...DEFAULT_PARSERS,
  geometryFromBytes: (bytes: Uint8Array) => {
    try {
      return DEFAULT_PARSERS.geometryFromBytes(bytes)
    } catch {
      return 'bytes that are no WKB'
    }
  },
}

/** Undefined where it is missing, or no JSON object. */
function geoOf({ key_value_metadata: pairs = [] }: FileMetaData): Geo | undefined {
  try {
    return (JSON.parse(pairs.find(({ key }) => key === 'geo')?.value ?? 'null') as Geo | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Refuses another system than WGS 84, which GeoParquet has where it names none. */
function shapeColumn(path: string, metadata: FileMetaData, names: readonly string[]): string {
  const { primary_column: name = '', columns = {} } = geoOf(metadata) ?? {}
  const { encoding, crs } = columns[name] ?? {}
  if (!names.includes(name) || encoding === undefined)
    throw new Error(`${path}: features need a column of shapes that the metadata "geo" of GeoParquet names.`)
  if (encoding !== 'WKB') throw new Error(`${path}: shapes in WKB are accepted, and ${name} has them as ${encoding}.`)
  const system = crs?.id ? `${crs.id.authority}:${crs.id.code}` : (crs?.name ?? 'a system without a name')
  if (crs && !['EPSG:4326', 'OGC:CRS84'].includes(system))
    throw new Error(`${path}: shapes in EPSG:4326 are accepted, and ${name} has them in ${system}.`)
  return name
}

/** Columns of the first level: a struct follows its own name. */
function namesOf({ schema }: FileMetaData): string[] {
  const names: string[] = []
  for (let i = 1; i < schema.length;) {
    names.push(schema[i]?.name ?? '')
    let left = 1
    while (left > 0) {
      left += (schema[i]?.num_children ?? 0) - 1
      i += 1
    }
  }
  return names
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : jsonOf(value)

/** Whole numbers of 64 bits keep their digits. */
const jsonOf = (value: unknown): string =>
  typeof value === 'bigint'
    ? String(value)
    : JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))

const csvLine = (row: Row, names: readonly string[]) =>
  `${names.map((name) => csvCell(textOf(row[name]), { guards: false })).join()}\n`

function featureLine(row: Row, names: readonly string[], shape: string): string {
  const members = names.map((name) => `${JSON.stringify(name)}:${jsonOf(row[name] ?? null)}`)
  return `{"type":"Feature","geometry":${jsonOf(row[shape] ?? null)},"properties":{${members.join()}}}\n`
}

/** Reads a GeoParquet file as the GeoJSON or the CSV that an import takes. */
import { statSync } from 'node:fs'
import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { csvCell } from '../../core/csv.js'
import type { Wanted } from './converted-file.js'

const ROWS_AT_ONCE = 5000

type Row = Record<string, unknown>
type GeoColumn = { crs?: { id?: { authority?: string; code?: string | number } } | null }
type Geo = { primary_column?: string; columns?: Record<string, GeoColumn> }

export async function* parquetBytes(path: string, wanted: Wanted): AsyncGenerator<Buffer> {
  if (statSync(path).size === 0) throw new Error(`${path}: the file is empty.`)
  try {
    const file = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(file)
    const shape = shapeColumn(metadata)
    if (wanted === 'features' && shape === undefined) throw new Error('there are no shapes in it, by GeoParquet')
    const names = namesOf(metadata).filter((name) => name !== shape && name !== 'bbox')
    if (wanted === 'table') yield Buffer.from(`${names.map((name) => csvCell(name, { guards: false })).join()}\n`)
    for (let from = 0; from < Number(metadata.num_rows); from += ROWS_AT_ONCE) {
      const rows = (await parquetReadObjects({ file, metadata, rowStart: from, rowEnd: from + ROWS_AT_ONCE })) as Row[]
      const lines = rows.map((row) => (wanted === 'table' ? csvLine(row, names) : featureLine(row, names, shape ?? '')))
      yield Buffer.from(lines.join(''))
    }
  } catch (error) {
    throw new Error(`${path}: this is no Parquet file that can be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** Undefined for a table. Refuses another system than WGS 84, which GeoParquet has where it names none. */
function shapeColumn({ key_value_metadata: pairs = [] }: FileMetaData): string | undefined {
  const text = pairs.find(({ key }) => key === 'geo')?.value
  if (text === undefined) return undefined
  const { primary_column: name = '', columns = {} } = JSON.parse(text) as Geo
  const { authority, code } = columns[name]?.crs?.id ?? {}
  const system = `${authority}:${code}`
  if (columns[name]?.crs && !['EPSG:4326', 'OGC:CRS84'].includes(system))
    throw new Error(`its shapes are in ${system}, and EPSG:4326 is accepted`)
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

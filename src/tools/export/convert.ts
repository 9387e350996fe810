/** Makes the file of an export from its rows, once all of them are there. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { counted } from '../../core/counted.js'
import { collectColumns, storedValue, type ValueColumn } from './columns.js'
import {
  csvHead,
  csvLine,
  featureText,
  member,
  propertiesOf,
  TAKEN_NAMES,
  type LineFormat,
  type TableForm,
} from './lines.js'
import { writeParquet } from './parquet.js'
import { rowsOf, writeLines, type RowWithValues } from './rows-part.js'

export type FileFormat = LineFormat | 'geojson' | 'gpkg' | 'parquet'
export const FILE_FORMATS = '.geojson, .geojsonl, .csv, .gpkg and .parquet'

/** Undefined for a name with another ending. */
export const formatOf = (file: string): FileFormat | undefined =>
  /\.(geojson|geojsonl|csv|gpkg|parquet)$/i.exec(file)?.[1]?.toLowerCase() as FileFormat | undefined

const runProgram = promisify(execFile)

export type Conversion = TableForm & { part: string; format: FileFormat; layers: readonly string[] }
type Converted = { written: string; recorded: Record<string, number> }

/** Returns the path of the new file, which lies beside the part. */
export async function convertRows(conversion: Conversion, progress: (step: string) => void): Promise<Converted> {
  const { part, format, layers } = conversion
  const collector = collectColumns(layers, TAKEN_NAMES)
  for await (const { values } of rowsOf(part)) collector.add(values)
  const columns = collector.columns()
  const written = `${part}.${format}`
  progress(`writing ${counted(columns.length, 'column')} of values`)
  await writers[format](conversion, columns, written)
  return { written, recorded: collector.recorded() }
}

const writers: Record<FileFormat, (conversion: Conversion, columns: ValueColumn[], written: string) => Promise<void>> =
  {
    csv: (conversion, columns, written) => writeLines(written, csvLines(conversion, columns)),
    geojson: ({ part }, columns, written) => writeLines(written, collectionLines(part, columns)),
    geojsonl: ({ part }, columns, written) => writeLines(written, featureLines(part, columns)),
    gpkg: async ({ part }, columns, written) => {
      const features = `${part}.features`
      // ogr2ogr makes a column of an id that is a text.
      await writeLines(features, featureLines(part, columns, false))
      await packFeatures(features, written)
      rmSync(features)
    },
    parquet: ({ part, units }, columns, written) => writeParquet(rowsOf(part), { units, columns }, written),
  }

async function* csvLines(table: Conversion, columns: readonly ValueColumn[]): AsyncGenerator<string> {
  yield csvHead(
    table,
    columns.map(({ name }) => name),
  )
  for await (const { feature, values } of rowsOf(table.part)) {
    yield csvLine(
      feature,
      table,
      columns.map((column) => storedValue(values, column)),
    )
  }
}

async function* featureLines(part: string, columns: readonly ValueColumn[], withId = true): AsyncGenerator<string> {
  for await (const row of rowsOf(part)) yield `${featureText(row.feature, membersOf(row, columns), withId)}\n`
}

async function* collectionLines(part: string, columns: readonly ValueColumn[]): AsyncGenerator<string> {
  let before = '{"type":"FeatureCollection","features":[\n'
  for await (const row of rowsOf(part)) {
    yield before + featureText(row.feature, membersOf(row, columns))
    before = ',\n'
  }
  yield '\n]}\n'
}

/** A number stands as it is stored, so that no digit changes. What is not recorded is left out, as with units. */
function membersOf({ feature, values }: RowWithValues, columns: readonly ValueColumn[]): string[] {
  const members = propertiesOf(feature)
  for (const column of columns) {
    const value = storedValue(values, column)
    if (value !== '') members.push(member(column.name, column.type === 'text' ? JSON.stringify(value) : value))
  }
  return members
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

/** Writes GeoJSON features, one on each line, as the layer "frame" of a GeoPackage. */
async function packFeatures(features: string, geoPackage: string): Promise<void> {
  rmSync(geoPackage, { force: true })
  const shape = ['-nln', 'frame', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:4326']
  await runProgram('ogr2ogr', ['-f', 'GPKG', geoPackage, `GeoJSONSeq:${features}`, ...shape])
}

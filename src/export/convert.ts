/** Makes the file of an export from its rows, once all of them are there. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { collectColumns, storedValue, type ValueColumn } from './columns.js'
import { csvHead, csvLine, TAKEN_NAMES, type LineFormat } from './lines.js'
import { writeParquet } from './parquet.js'
import { rowsOf, writeLines, type RowWithValues } from './rows-part.js'

export type FileFormat = LineFormat | 'gpkg' | 'parquet'

export const formatOf = (file: string): FileFormat => {
  const [, ending = ''] = /\.(geojsonl|csv|gpkg|parquet)$/i.exec(file) ?? []
  return ending.toLowerCase() as FileFormat
}

const runProgram = promisify(execFile)

export type Conversion = { part: string; format: FileFormat; units: boolean; layers: readonly string[] }
type Converted = { written: string; recorded: Record<string, number> }

/** Answers with the path of the new file, which lies beside the part. */
export async function convertRows(conversion: Conversion, progress: (step: string) => void): Promise<Converted> {
  const { part, format, layers } = conversion
  const collector = collectColumns(layers, TAKEN_NAMES)
  for await (const { values } of rowsOf(part)) collector.add(values)
  const columns = collector.columns()
  const written = `${part}.${format}`
  progress(`writing ${columns.length} columns of values`)
  await writers[format](conversion, columns, written)
  return { written, recorded: collector.recorded() }
}

const writers: Record<FileFormat, (conversion: Conversion, columns: ValueColumn[], written: string) => Promise<void>> =
  {
    csv: ({ part, units }, columns, written) => writeLines(written, csvLines(part, units, columns)),
    geojsonl: ({ part }, columns, written) => writeLines(written, featureLines(part, columns)),
    gpkg: async ({ part }, columns, written) => {
      const features = `${part}.features`
      await writeLines(features, featureLines(part, columns))
      await packFeatures(features, written)
      rmSync(features)
    },
    parquet: ({ part, units }, columns, written) => writeParquet(rowsOf(part), { units, columns }, written),
  }

async function* csvLines(part: string, units: boolean, columns: readonly ValueColumn[]): AsyncGenerator<string> {
  yield csvHead(
    units,
    columns.map(({ name }) => name),
  )
  for await (const { feature, values } of rowsOf(part)) {
    yield csvLine(
      feature,
      units,
      columns.map((column) => storedValue(values, column)),
    )
  }
}

async function* featureLines(part: string, columns: readonly ValueColumn[]): AsyncGenerator<string> {
  for await (const row of rowsOf(part)) yield featureLine(row, columns)
}

/** A number stands as it is stored, so that no digit changes. What is not recorded is left out, as with units. */
function featureLine({ feature, values }: RowWithValues, columns: readonly ValueColumn[]): string {
  const members = Object.entries(feature.properties).map(([name, value]) => member(name, JSON.stringify(value)))
  for (const column of columns) {
    const value = storedValue(values, column)
    if (value !== '') members.push(member(column.name, column.type === 'text' ? JSON.stringify(value) : value))
  }
  const { type, id, geometry } = feature
  return `${JSON.stringify({ type, id, geometry }).slice(0, -1)},"properties":{${members.join(',')}}}\n`
}

const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`

export async function checkOgr(file: string): Promise<void> {
  try {
    await runProgram('ogr2ogr', ['--version'])
  } catch (error) {
    throw new Error(
      `${file}: a GeoPackage is written by ogr2ogr, which is not installed here (Debian: gdal-bin). Name the file .geojsonl, .csv or .parquet, or install it.`,
      { cause: error },
    )
  }
}

/** Writes GeoJSON features, one on each line, as the layer "frame" of a GeoPackage. */
export async function packFeatures(features: string, geoPackage: string): Promise<void> {
  rmSync(geoPackage, { force: true })
  const shape = ['-nln', 'frame', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:4326']
  await runProgram('ogr2ogr', ['-f', 'GPKG', geoPackage, `GeoJSONSeq:${features}`, ...shape])
}

/** The features of a file: GeoJSON in its several forms, a JSON array of rows, or CSV. */
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
import { sendInBatches } from './batches.js'
import { featuresOfCsv } from './csv-features.js'
import { FileFault } from './faults.js'
import { checkCrs } from './geojson-shape.js'
import { bytesOf, conversionLine } from './input-file.js'
import { jsonValues, type JsonValue } from './json-values.js'
import type { Progress } from './progress.js'

type FeatureRows<Row> = {
  /** Takes a JSON array of rows. */
  statement: string
  rowOf: (feature: JsonValue) => Row
  progress: Progress
  noun: string
}

/** Sends a row for each feature of a file, and returns their number. */
export async function sendFeatures<Row extends { geometry: string; properties?: string }>(
  db: Database,
  file: string,
  { statement, rowOf, progress, noun }: FeatureRows<Row>,
): Promise<number> {
  async function* rows(): AsyncGenerator<Row> {
    for await (const feature of valuesOf(file)) yield await inFile(file, () => rowOf(feature))
  }
  const text = sqlText(statement)
  const count = await sendInBatches(rows(), {
    bytesOf: ({ geometry, properties = '' }) => geometry.length + properties.length,
    send: (batch) => db.rows(text, [JSON.stringify(batch)]),
    progress,
    noun,
  })
  if (count === 0) throw new FileFault(`${file}: there is no ${noun.slice(0, -1)} in it.`, 1)
  return count
}

/** Refuses a file whose coordinates are in another system than WGS 84. */
export async function* valuesOf(file: string): AsyncGenerator<JsonValue> {
  const items = /\.(csv|tsv|txt)$/i.test(file) ? featuresOfCsv(file) : valuesOfJson(file)
  for (;;) {
    const { value, done } = await inFile(file, () => items.next())
    if (done) return
    yield value
  }
}

async function* valuesOfJson(file: string): AsyncGenerator<JsonValue> {
  for await (const item of jsonValues(bytesOf(file, 'features'))) {
    if (item.kind === 'value') yield item
    else checkCrs(item.value, conversionLine(file, 'features'))
  }
}

/** Adds the name of the file to a fault: a build reads two files. */
export async function inFile<T>(file: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FileFault) throw new FileFault(`${file}, ${error.message}`, error.line)
    throw error
  }
}

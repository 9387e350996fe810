/** The features of a file: GeoJSON in its several forms, a JSON array of rows, or CSV. */
import { featuresOfCsv } from './csv-features.js'
import { FileFault } from './faults.js'
import { checkCrs } from './geojson-shape.js'
import { bytesOf, conversionLine } from './input-file.js'
import { jsonValues, type JsonValue } from './json-values.js'

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
    else checkCrs(item.text, conversionLine(file, 'features'))
  }
}

/** Adds the name of the file to a fault: a build reads two files. */
export async function inFile<T>(file: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FileFault) throw new FileFault(`${file}, ${error.message}`, error.line, error.number)
    throw error
  }
}

/** The values of a file of GeoJSON or JSON. */
import { createReadStream } from 'node:fs'
import { FileFault } from './faults.js'
import { checkCrs } from './geojson-shape.js'
import { jsonValues, type JsonValue } from './json-values.js'

/** Refuses a file whose coordinates are in another system than WGS 84. */
export async function* valuesOf(file: string): AsyncGenerator<JsonValue> {
  const items = jsonValues(createReadStream(file, { highWaterMark: 1 << 20 }))
  for (;;) {
    const { value: item, done } = await inFile(file, () => items.next())
    if (done) return
    if (item.kind === 'wrapper') await inFile(file, () => checkCrs(item.text))
    else yield item
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

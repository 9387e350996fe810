/**
 * Opens a file that a person names. Another kind of file, by its name or by its first bytes, is refused with the line
 * that converts it.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileFault } from './faults.js'
import { formFault } from './file-forms.js'

/** A command reads features (GeoJSON or CSV) or a table (CSV without coordinates). */
export type Wanted = 'features' | 'table'

const FILE_READ_BYTES = 1 << 20
const CONVERTIBLE = /\.(gpkg|shp|zip|kml|fgb|xlsx|ods|geojson|geojsonl|json)$/i

export function bytesOf(file: string, wanted: Wanted): AsyncIterable<Buffer> {
  refuseFolder(file)
  const ending = CONVERTIBLE.exec(file)?.[1]?.toLowerCase()
  if (ending !== undefined && !(wanted === 'features' && ending.includes('json'))) {
    const accepted = wanted === 'features' ? 'GeoJSON or CSV' : 'CSV'
    const layer = /gpkg|zip|kml|xlsx|ods/.test(ending) ? '\nWhere it has several layers, add the name of one.' : ''
    throw new Error(
      `${file}: ${accepted} is accepted. Convert it, then give the new file:\n${conversionLine(file, wanted)}${layer}`,
    )
  }
  return checked(file, wanted)
}

/** A CSV file of shapes is known by its name. */
export const isCsv = (file: string): boolean => /\.(csv|tsv|txt)$/i.test(file)

async function* checked(file: string, wanted: Wanted): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const bytes of createReadStream(file, { highWaterMark: FILE_READ_BYTES }) as AsyncIterable<Buffer>) {
    const fault = isFirst ? formFault(bytes, wanted !== 'features' || isCsv(file) ? 'csv' : 'json') : undefined
    if (fault !== undefined) throw new FileFault(`line 1: this is ${fault}`, 1)
    isFirst = false
    yield bytes
  }
}

/** The text of a small file, or of standard input for "-". */
export function fileText(file: string): string {
  if (file === '-') return readFileSync(0, 'utf8')
  refuseFolder(file)
  return readFileSync(file, 'utf8')
}

/** Node's own error for a folder is "EISDIR: illegal operation on a directory, read", without its name. */
export function refuseFolder(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${file} is a folder: a file is needed.`)
}

/** Refuses a file to write that is a folder, or that would be in a folder that is not there. */
export function refuseUnwritable(file: string): void {
  refuseFolder(file)
  const folder = dirname(file)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder}: make it, or name a file elsewhere.`)
}

/** A line for a shell. ogr2ogr overwrites the file that it makes: the name is one that nobody else gives. */
export function conversionLine(file: string, wanted: Wanted): string {
  const isSheet = /\.(xlsx|ods)$/i.test(file)
  const made = file.replace(/(\.shp)?\.\w+$/i, '-converted')
  const source = /\.zip$/i.test(file) ? `/vsizip/${file}` : file
  if (isSheet || wanted === 'table') return `ogr2ogr -f CSV ${shellWord(`${made}.csv`)} ${shellWord(source)}`
  return `ogr2ogr -t_srs EPSG:4326 ${shellWord(`${made}.geojson`)} ${shellWord(source)}`
}

export const shellWord = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

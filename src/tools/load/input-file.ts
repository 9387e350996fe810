/** Opens a file that a person names. What GDAL reads is converted. Another kind of file, by its first bytes, is refused. */
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { convertedBytes, isSheet, pathAndLayer, type Wanted } from './converted-file.js'
import { FileFault } from '../../core/text-file/index.js'
import { formFault } from './file-forms.js'
import type { Progress } from './progress.js'

const FILE_READ_BYTES = 1 << 16
const SAID_BYTES = 16_000_000
const CONVERTIBLE = /\.(gpkg|shp|zip|kml|kmz|gml|gpx|fgb|xlsx|ods)$/i

export function bytesOf(file: string, wanted: Wanted, progress: Progress = () => {}): AsyncIterable<Buffer> {
  const { path, layer } = pathAndLayer(file)
  refuseFolder(path)
  if (CONVERTIBLE.test(path) || (wanted === 'table' && /\.(geojson|geojsonl|json)$/i.test(path)))
    return withProgress(convertedBytes(file, wanted), path, progress)
  if (/\.parquet$/i.test(path)) return withProgress(parquetOf(path, wanted), path, progress)
  if (layer !== undefined) throw new Error(`${path}: this kind of file has one layer, and --layer names ${layer}.`)
  return withProgress(checked(path, wanted), path, progress, statSync(path, { throwIfNoEntry: false })?.size)
}

/** Says at each tenth of the size, or at each 16 MB of what is converted, how much is read. */
async function* withProgress(
  bytes: AsyncIterable<Buffer>,
  path: string,
  progress: Progress,
  size = 0,
): AsyncGenerator<Buffer> {
  let [read, said] = [0, 0]
  for await (const each of bytes) {
    yield each
    read += each.length
    const reached = Math.floor(size === 0 ? read / SAID_BYTES : (10 * read) / size)
    if (reached > said && (size === 0 || reached < 10))
      progress(`reading ${basename(path)}: ${size === 0 ? `${reached * 16} MB` : `${reached * 10} %`}`)
    said = reached
  }
}

/** A CSV file of shapes is known by its name. A sheet is read as CSV. */
export function isCsv(file: string): boolean {
  const { path } = pathAndLayer(file)
  return /\.(csv|tsv|txt)$/i.test(path) || isSheet(path)
}

/** The reader is loaded with the first file of its kind. */
async function* parquetOf(path: string, wanted: Wanted): AsyncGenerator<Buffer> {
  yield* (await import('./parquet-file.js')).parquetBytes(path, wanted)
}

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

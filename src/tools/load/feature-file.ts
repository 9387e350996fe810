/** The features of a file: GeoJSON in its several forms, a JSON array of rows, or CSV. */
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
import { sendInBatches } from './batches.js'
import { pointColumns, pointIn } from './coordinates.js'
import { openCsv } from './csv-file.js'
import { FileFault } from './faults.js'
import { checkCrs, inPlace, quote, ShapeRefusal } from './geojson-shape.js'
import { bytesOf, conversionLine, isCsv } from './input-file.js'
import { type JsonValue, jsonValues } from './json-values.js'
import type { Progress } from './progress.js'

type FeatureRows<Row> = {
  /** Takes a JSON array of rows. */
  statement: string
  rowOf: (feature: JsonValue) => Row
  progress: Progress
  noun: string
}

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
  const items = isCsv(file) ? featuresOfCsv(file) : valuesOfJson(file)
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

/** Case makes no difference. ogr2ogr writes the first of these names. */
const SHAPE_NAMES = ['wkt', 'geom', 'geometry']

type ShapeColumns = { of: readonly number[]; geometryOf: (cells: readonly string[]) => object }

/** A shape comes from a column of WKT, else from two of coordinates. The other columns are properties, as texts. */
async function* featuresOfCsv(file: string): AsyncGenerator<JsonValue> {
  const { head, rows } = await openCsv(bytesOf(file, 'features'))
  const names = head.cells
  const shape = shapeColumns(names)
  const id = names.findIndex((name) => name.trim().toLowerCase() === 'id')
  const others = Array.from(names.entries()).filter(([i]) => i !== id && !shape.of.includes(i))
  let number = 0
  for await (const { cells, line } of rows) {
    number += 1
    const value = inPlace({ line, number }, 'feature', () => {
      if (cells.length !== names.length)
        throw new ShapeRefusal(`${counted(names.length, 'value is', 'values are')} needed, ${cells.length} came`)
      const properties = Object.fromEntries(others.map(([i, name]) => [name, cells[i]]))
      return { type: 'Feature', id: cells[id], geometry: shape.geometryOf(cells), properties }
    })
    yield { value, line, number }
  }
}

function shapeColumns(names: readonly string[]): ShapeColumns {
  const folded = names.map((name) => name.trim().toLowerCase())
  const wkt = SHAPE_NAMES.map((name) => folded.indexOf(name)).find((place) => place !== -1)
  if (wkt !== undefined) return { of: [wkt], geometryOf: (cells) => geometryOfWkt(cells[wkt] ?? '') }
  const columns = coordinateColumns(names)
  return {
    of: [columns.lon, columns.lat],
    geometryOf: (cells) => {
      const point = pointIn(cells, columns)
      if (typeof point === 'string') throw new ShapeRefusal(point)
      return { type: 'Point', coordinates: [point.lon, point.lat] }
    },
  }
}

function coordinateColumns(names: readonly string[]) {
  try {
    return pointColumns(names)
  } catch (error) {
    const { message } = error as Error
    throw new FileFault(`line 1: ${message} A column "wkt" may have the shapes in their place.`, 1)
  }
}

const WKT_TYPES = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'] as const
const WKT = /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([a-z]+)\s*(?:Z|M|ZM)?\s*(\(.*\))\s*$/is

/** Returns GeoJSON whose rings and positions are not checked yet. Heights are dropped. */
function geometryOfWkt(text: string): { type: string; coordinates: unknown } {
  const [, srid = '4326', name = '', body = ''] = WKT.exec(text) ?? []
  const type = WKT_TYPES.find((each) => each.toLowerCase() === name.toLowerCase())
  if (type === undefined)
    throw new ShapeRefusal(
      `WKT such as POINT (0.2 0.1) or POLYGON ((0 0,1 0,1 1,0 0)) is accepted, and ${quote(text)} came`,
    )
  if (srid !== '4326') throw new ShapeRefusal(`WKT of WGS 84 (SRID 4326) is accepted, and SRID ${srid} came`)
  const lists = parsedFeature(
    body
      .replaceAll(/[^(),]+/g, position)
      .replaceAll('(', '[')
      .replaceAll(')', ']'),
  )
  if (!Array.isArray(lists)) throw new ShapeRefusal(`this is not WKT: ${quote(text)}`)
  // Both MULTIPOINT (0 0,1 1) and MULTIPOINT ((0 0),(1 1)) are in use.
  if (type === 'MultiPoint')
    return { type, coordinates: lists.map((each) => (Array.isArray(each?.[0]) ? each[0] : each)) }
  return { type, coordinates: type === 'Point' ? lists[0] : lists }
}

function position(words: string): string {
  const numbers = words.trim() === '' ? [] : words.trim().split(/\s+/).map(Number)
  return numbers.length === 0 ? '' : JSON.stringify(numbers.slice(0, 2))
}

function parsedFeature(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

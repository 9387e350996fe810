/** The features of a file: GeoJSON in its several forms, a JSON array of rows, or CSV. */
import { counted } from '../../core/counted.js'
import { withoutGuard } from '../../core/csv.js'
import { type Database, sqlText } from '../../core/db/index.js'
import { FEATURE_KEY } from '../../core/frame-file/index.js'
import { oneByOne, sendInBatches } from './batches.js'
import { pointColumns, pointIn } from './coordinates.js'
import { FileFault, type JsonValue, jsonValues, openCsv } from '../../core/text-file/index.js'
import { inPlace, ofFile, ValueRefusal } from './faults.js'
import { checkCrs, quote } from './geojson-shape.js'
import { conversionLine } from './converted-file.js'
import { bytesOf, isCsv } from './input-file.js'
import type { Progress } from './progress.js'

/** Messages call a value of the file so. */
type Noun = 'feature' | 'ward'
type Reading = { noun?: Noun; progress?: Progress | undefined }

/**
 * Makes a row of each feature of a file. A ValueRefusal of `rowOf` gets the place of the feature, and any fault the name
 * of the file: a build reads two.
 */
export async function* featureFile<Row>(
  file: string,
  rowOf: (feature: JsonValue) => Row,
  { noun = 'feature', progress }: Reading = {},
): AsyncGenerator<Row> {
  let isEmpty = true
  try {
    for await (const feature of isCsv(file) ? featuresOfCsv(file, noun, progress) : featuresOfJson(file, progress)) {
      isEmpty = false
      yield inPlace(placeOf(feature, noun), feature.line, () => rowOf(feature))
    }
  } catch (error) {
    throw ofFile(file, error)
  }
  if (isEmpty) throw new FileFault(`${file}: there is no ${noun} in it.`, 1)
}

const placeOf = ({ line, number }: Omit<JsonValue, 'value'>, noun: Noun) => `${noun} ${number} (line ${line})`

/** `statement` takes a JSON array of rows. Returns how many there were. */
export function sendFeatures<Row extends { geometry: string; properties?: string }>(
  db: Database,
  statement: string,
  rows: AsyncIterable<Row>,
): Promise<number> {
  const text = sqlText(statement)
  return sendInBatches(oneByOne(rows), {
    bytesOf: ({ geometry, properties = '' }) => geometry.length + properties.length,
    send: (batch) => db.rows(text, [JSON.stringify(batch)]),
  })
}

/** Refuses a file whose coordinates are in another system than WGS 84. */
async function* featuresOfJson(file: string, progress?: Progress): AsyncGenerator<JsonValue> {
  for await (const item of jsonValues(bytesOf(file, 'features', progress))) {
    if (item.kind === 'value') yield item
    else checkCrs(item.value, conversionLine(file))
  }
}

/** Case makes no difference. ogr2ogr writes the first of these names. */
const SHAPE_NAMES = ['wkt', 'geom', 'geometry']

type ShapeColumns = { of: readonly number[]; geometryOf: (cells: readonly string[]) => object }

/** A shape comes from a column of WKT, else from two of coordinates. The other columns are properties, as texts. */
async function* featuresOfCsv(file: string, noun: Noun, progress?: Progress): AsyncGenerator<JsonValue> {
  const { head, rows } = await openCsv(bytesOf(file, 'features', progress))
  const isExported = head.cells[0] === FEATURE_KEY && head.cells[1] === 'wkt'
  const names = isExported ? head.cells.map(withoutGuard) : head.cells
  const shape = shapeColumns(names)
  const id = isExported ? 0 : names.findIndex((name) => name.trim().toLowerCase() === 'id')
  const others = Array.from(names.entries()).filter(([i]) => i !== id && !shape.of.includes(i))
  let number = 0
  for await (const { cells: given, line } of rows) {
    const cells = isExported ? given.map(withoutGuard) : given
    number += 1
    const value = inPlace(placeOf({ line, number }, noun), line, () => {
      if (cells.length !== names.length)
        throw new ValueRefusal(`${counted(names.length, 'value is', 'values are')} needed, ${cells.length} came`)
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
  const columns = pointColumns(names)
  return {
    of: [columns.lon, columns.lat],
    geometryOf: (cells) => ({ type: 'Point', coordinates: pointIn(cells, columns) }),
  }
}

const WKT_TYPES = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'] as const
const WKT = /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([a-z]+)\s*(?:Z|M|ZM)?\s*(\(.*\))\s*$/is

/** Returns GeoJSON whose rings and positions are not checked yet. Heights are dropped. */
function geometryOfWkt(text: string): { type: string; coordinates: unknown } {
  const [, srid = '4326', name = '', body = ''] = WKT.exec(text) ?? []
  const type = WKT_TYPES.find((each) => each.toLowerCase() === name.toLowerCase())
  if (type === undefined)
    throw new ValueRefusal(
      `WKT such as POINT (0.2 0.1) or POLYGON ((0 0,1 0,1 1,0 0)) is accepted, and ${quote(text)} came`,
    )
  if (srid !== '4326') throw new ValueRefusal(`WKT of WGS 84 (SRID 4326) is accepted, and SRID ${srid} came`)
  const lists = parsedFeature(
    body
      .replaceAll(/[^(),]+/g, position)
      .replaceAll('(', '[')
      .replaceAll(')', ']'),
  )
  if (!Array.isArray(lists)) throw new ValueRefusal(`this is not WKT: ${quote(text)}`)
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

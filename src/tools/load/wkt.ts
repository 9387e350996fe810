/** Reads Well-Known Text, as ogr2ogr, QGIS and "frames export" write it into a column of CSV. */
import { quote, Refusal } from './geojson-shape.js'

const TYPES = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'] as const
const WKT = /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([a-z]+)\s*(?:Z|M|ZM)?\s*(\(.*\))\s*$/is

/** Returns GeoJSON whose rings and positions are not checked yet. Heights are dropped. */
export function geometryOfWkt(text: string): { type: string; coordinates: unknown } {
  const [, srid = '4326', name = '', body = ''] = WKT.exec(text) ?? []
  const type = TYPES.find((each) => each.toLowerCase() === name.toLowerCase())
  if (type === undefined)
    throw new Refusal(`WKT such as POINT (0.2 0.1) or POLYGON ((0 0,1 0,1 1,0 0)) is accepted, and ${quote(text)} came`)
  if (srid !== '4326') throw new Refusal(`WKT of WGS 84 (SRID 4326) is accepted, and SRID ${srid} came`)
  const lists = parsed(
    body
      .replaceAll(/[^(),]+/g, position)
      .replaceAll('(', '[')
      .replaceAll(')', ']'),
  )
  if (!Array.isArray(lists)) throw new Refusal(`this is not WKT: ${quote(text)}`)
  // Both MULTIPOINT (0 0,1 1) and MULTIPOINT ((0 0),(1 1)) are in use.
  if (type === 'MultiPoint')
    return { type, coordinates: lists.map((each) => (Array.isArray(each?.[0]) ? each[0] : each)) }
  return { type, coordinates: type === 'Point' ? lists[0] : lists }
}

function position(words: string): string {
  const numbers = words.trim() === '' ? [] : words.trim().split(/\s+/).map(Number)
  return numbers.length === 0 ? '' : JSON.stringify(numbers.slice(0, 2))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

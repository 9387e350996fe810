/** Parses the parameters of /ogc. It refuses every parameter that it does not know, as the standard wants. */
import { isQueryNumber } from '../../core/decimal.js'
import { invalid, invalidBox, shortened } from '../../core/errors.js'
import { refuseUnknown } from '../http/params.js'
import { numberText, textParam, type Query } from '../http/query.js'
import { CRS84, domainOf, isInDegrees } from './crs.js'
import { ringOf } from '../../core/geometry.js'
import type { Corners } from '../../core/place.js'

/** A shape as text, in a coordinate reference system, as function shape_in of the database takes it. */
export type ItemsArea = { wkt: string; crs: number }

export const WORLD: ItemsArea = { wkt: boxPolygon(-180, -90, 180, 90), crs: CRS84 }

/** ArcGIS sends f=json with every request. */
export function refuseOtherParameters(query: Query, taken: readonly string[]): void {
  refuseUnknown(query, [...taken, 'f'])
  const form = textParam(query, 'f', invalid) ?? 'json'
  if (form !== 'json') throw invalid(`f: json is accepted, "${shortened(form)}" was sent.`)
}

/** Four numbers, or six with heights, which are left out. */
export function itemsBoxParam(query: Query, crs: number): ItemsArea {
  const text = numberText(query, 'bbox', invalidBox)
  if (text === undefined) return WORLD
  const numbers = text.split(',').map((part) => {
    const value = isQueryNumber(part) ? Number(part) : NaN
    if (Number.isFinite(value)) return value
    throw invalidBox(`bbox: decimal numbers are accepted, "${shortened(part)}" was sent.`)
  })
  if (numbers.length !== 4 && numbers.length !== 6)
    throw invalidBox(`bbox: four numbers are accepted, or six with heights; ${numbers.length} were sent.`)
  const half = numbers.length / 2
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = [...numbers.slice(0, 2), ...numbers.slice(half, half + 2)]
  return { wkt: boxWithin(crs, [minX, minY, maxX, maxY]), crs }
}

/** Degrees beyond the earth are refused. Metres are cut: maps draw more than the projection has. */
function boxWithin(crs: number, [minX, minY, maxX, maxY]: Corners): string {
  const [leastX, leastY, mostX, mostY] = domainOf(crs)
  const cutX = (x: number) => Math.min(Math.max(x, leastX), mostX)
  const cutY = (y: number) => Math.min(Math.max(y, leastY), mostY)
  if (!isInDegrees(crs)) {
    if (minX > maxX || minY > maxY) throw invalidBox('bbox: its first corner is greater than its second.')
    return boxPolygon(cutX(minX), cutY(minY), cutX(maxX), cutY(maxY))
  }
  if (cutX(minX) !== minX || cutX(maxX) !== maxX || cutY(minY) !== minY || cutY(maxY) !== maxY)
    throw invalidBox(`bbox: it reaches beyond the coordinates of its system, ${domainOf(crs).join(',')}.`)
  const [lowLat, highLat] = crs === CRS84 ? [minY, maxY] : [minX, maxX]
  if (lowLat > highLat) throw invalidBox(`bbox: latitude ${lowLat} is greater than ${highLat}.`)
  const [west, east] = crs === CRS84 ? [minX, maxX] : [minY, maxY]
  if (west <= east) return boxPolygon(minX, minY, maxX, maxY)
  // A box from 179 to -179 lies across the antimeridian: it is two boxes.
  const parts =
    crs === CRS84
      ? [boxPolygon(minX, minY, 180, maxY), boxPolygon(-180, minY, maxX, maxY)]
      : [boxPolygon(minX, minY, maxX, 180), boxPolygon(minX, -180, maxX, maxY)]
  return `GEOMETRYCOLLECTION(${parts.join(',')})`
}

/** A box without a width or a height is a line or a point. */
function boxPolygon(...box: Corners): string {
  const [minX, minY, maxX, maxY] = box
  if (minX === maxX && minY === maxY) return `POINT(${minX} ${minY})`
  if (minX === maxX || minY === maxY) return `LINESTRING(${minX} ${minY},${maxX} ${maxY})`
  const ring = ringOf(box).map((corner) => corner.join(' '))
  return `POLYGON((${ring.join(',')}))`
}

const INSTANT = String.raw`\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?`
const OPEN = String.raw`(?:\.\.)?`
const TIME = new RegExp(`^(?:${INSTANT}|${INSTANT}/${INSTANT}|${INSTANT}/${OPEN}|${OPEN}/${INSTANT}|\\.\\./\\.\\.)$`)

/** No item has a time, so that every item passes, as the standard says. A time that is none is refused. */
export function refuseOtherTimes(query: Query): void {
  const text = numberText(query, 'datetime', invalid)
  if (text === undefined) return
  const areDates = text.split('/').every((part) => part === '' || part === '..' || !Number.isNaN(Date.parse(part)))
  if (!TIME.test(text) || !areDates)
    throw invalid(
      `datetime: an instant such as 2026-01-31T12:00:00Z, or two with a slash between, is accepted; "${shortened(text)}" was sent.`,
    )
}

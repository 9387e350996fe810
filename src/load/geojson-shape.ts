/** Shapes as GeoJSON has them, checked: what is wrong is said in a sentence, with its place in the file. */
import { FileFault, type JsonValue } from './json-values.js'

export type Members = Record<string, unknown>
type Position = [lon: number, lat: number]

/** What is wrong with a value, before it is known where in the file that value stands. */
export class Refusal extends Error {}

const acceptedCrs =
  /^(urn:(x-)?ogc:def:crs:(ogc:[\d.]*:crs84|epsg:[\d.]*:4326)|(ogc:)?crs:?84|epsg:4326|wgs[ _]?(19)?84)$/i

/** The area in a feature, or in a bare Polygon or MultiPolygon: what an outline is made of. */
export function areaText({ text, line, number }: JsonValue): string {
  return within(`feature ${number} (line ${line})`, line, number, () => {
    const given = parsed(text)
    return geometryText(isMembers(given) && given['type'] === 'Feature' ? given['geometry'] : given, [
      'Polygon',
      'MultiPolygon',
    ])
  })
}

/** Refuses a point whose position GeoJSON would not hold. */
export function checkPoint(coordinates: unknown, { line, number }: JsonValue): void {
  within(`ward ${number} (line ${line})`, line, number, () => positionOf(coordinates, 'coordinates'))
}

/** Refuses a collection that says its coordinates are in another system than GeoJSON's own. */
export function checkCrs(wrapperText: string): void {
  within('the members around the features', 1, undefined, () => {
    const wrapper = parsed(wrapperText)
    if (!isMembers(wrapper)) return
    checkCrsMember(wrapper['crs'])
    if (isMembers(wrapper['data'])) checkCrsMember(wrapper['data']['crs'])
  })
}

export function within<T>(place: string, line: number, number: number | undefined, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) throw new FileFault(`${place}: ${error.message}`, line, number)
    throw error
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text around the fault, line breaks and all.
    const reason = String(error instanceof Error ? error.message : error).replace(/\s+/g, ' ')
    throw new Refusal(`valid JSON is needed, and this is not: ${reason}`)
  }
}

/** The text of a geometry of one of these types, with nothing but its type and the longitude and latitude of its corners. */
export function geometryText(geometry: unknown, types: readonly ShapeType[]): string {
  const given = isMembers(geometry) ? geometry['type'] : undefined
  const type = types.find((each) => each === given)
  if (!isMembers(geometry) || !type) {
    const came = isMembers(geometry) ? `type ${shown(given)}` : shown(geometry)
    throw new Refusal(`geometry has to be a ${types.join(' or a ')}, and ${came} came`)
  }
  checkCrsMember(geometry['crs'])
  return JSON.stringify({ type, coordinates: shapes[type](geometry['coordinates'], 'coordinates') })
}

const shapes = {
  Point: (value: unknown, path: string) => positionOf(value, path),
  MultiPoint: (value: unknown, path: string) => positionsOf(value, path),
  LineString: lineOf,
  MultiLineString: (value: unknown, path: string) =>
    filled(value, path, 'lines').map((line, at) => lineOf(line, `${path}[${at}]`)),
  Polygon: polygonOf,
  MultiPolygon: (value: unknown, path: string) =>
    filled(value, path, 'polygons').map((each, at) => polygonOf(each, `${path}[${at}]`)),
}
export type ShapeType = keyof typeof shapes

const positionsOf = (value: unknown, path: string): Position[] =>
  filled(value, path, 'positions').map((position, at) => positionOf(position, `${path}[${at}]`))

function lineOf(value: unknown, path: string): Position[] {
  const line = positionsOf(value, path)
  if (line.length < 2) throw new Refusal(`${path}: a line has to have at least 2 positions, and ${line.length} came`)
  return line
}

function polygonOf(value: unknown, path: string): Position[][] {
  return filled(value, path, 'rings').map((ring, at) => ringOf(ring, `${path}[${at}]`))
}

function ringOf(value: unknown, path: string): Position[] {
  const ring = positionsOf(value, path)
  if (ring.length < 4) throw new Refusal(`${path}: a ring has to have at least 4 positions, and ${ring.length} came`)
  const [first, last] = [ring[0]!, ring.at(-1)!]
  if (first[0] === last[0] && first[1] === last[1]) return ring
  throw new Refusal(`${path}: a ring has to end where it starts, at ${shown(first)}, and ends at ${shown(last)}`)
}

function positionOf(value: unknown, path: string): Position {
  const isPosition = Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every(Number.isFinite)
  if (!isPosition) {
    const needed = 'a position has to be an array of 2 or 3 finite numbers, longitude first'
    throw new Refusal(`${path}: ${needed}, and ${shown(value)} came`)
  }
  const [lon, lat] = value as Position
  if (isInRange(lon, lat)) return [lon, lat]
  const came = `and ${lon}, ${lat} came`
  if (isInRange(lat, lon)) {
    throw new Refusal(`${path}: the coordinates look swapped: GeoJSON order is longitude, latitude, ${came}`)
  }
  const needed = 'longitude has to be from -180 to 180 and latitude from -90 to 90, in degrees of WGS 84'
  throw new Refusal(`${path}: ${needed}, ${came}`)
}

function isInRange(lon: number, lat: number): boolean {
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90
}

function filled(value: unknown, path: string, of: string): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  const came = Array.isArray(value) ? 'an empty array' : shown(value)
  throw new Refusal(`${path} has to be an array with ${of}, and ${came} came`)
}

/** GeoJSON is WGS 84, longitude first; a crs member from the days of other systems may say only that. */
export function checkCrsMember(crs: unknown) {
  if (crs === undefined || crs === null) return
  const properties = isMembers(crs) ? crs['properties'] : undefined
  const name = isMembers(properties) ? (properties['name'] ?? properties['code']) : crs
  const asText = typeof name === 'number' ? `EPSG:${name}` : name
  if (typeof asText === 'string' && acceptedCrs.test(asText.trim())) return
  throw new Refusal(
    `crs has to be WGS 84 (urn:ogc:def:crs:OGC:1.3:CRS84 or EPSG:4326) or absent, and ${shown(name)} came`,
  )
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as a message shows it: in JSON, and no longer than a line. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

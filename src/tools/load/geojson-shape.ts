/** Checks the shapes of GeoJSON. A fault is a sentence with the place in the file. */
import { parseExactly } from '../../core/exact-json.js'
import { FileFault, type JsonValue } from '../../core/text-file/index.js'
import { longName, ValueRefusal } from './faults.js'

export type Members = Record<string, unknown>
type LonLat = [lon: number, lat: number]

const acceptedCrs =
  /^(urn:(x-)?ogc:def:crs:(ogc:[\d.]*:crs84|epsg:[\d.]*:4326)|(ogc:)?crs:?84|epsg:4326|wgs[ _]?(19)?84)$/i

/** The area of a feature, or a bare Polygon or MultiPolygon, for the outline of a country. */
export function areaText({ value }: JsonValue): string {
  const geometry = isMembers(value) && value['type'] === 'Feature' ? value['geometry'] : value
  return geometryText(geometry, ['Polygon', 'MultiPolygon'])
}

/** Refuses a collection whose crs member names another system than WGS 84. `conversion` is a line that converts it. */
export function checkCrs(collection: unknown, conversion: string): void {
  const data = isMembers(collection) ? collection['data'] : undefined
  for (const { crs } of [collection, data].filter(isMembers)) {
    const fault = crsFault(crs)
    if (fault !== undefined)
      throw new FileFault(
        `the members around the features: ${fault}. Convert it, then give the new file:\n${conversion}`,
        1,
      )
  }
}

export function refuseLongName(what: string, text: string, most?: number): void {
  const fault = longName(what, text, most)
  if (fault !== undefined) throw new ValueRefusal(fault)
}

export function propertiesOf(feature: Members): Members {
  const properties = feature['properties'] ?? {}
  if (isMembers(properties)) return properties
  throw new ValueRefusal(`properties has to be an object or null, and ${quote(properties)} came`)
}

/** The value with the digits of its numbers: exactNumber and exactText read them. */
export function exactValue({ value, text }: Pick<JsonValue, 'value' | 'text'>): unknown {
  if (text === undefined) return value
  try {
    return parseExactly(text)
  } catch (error) {
    throw new ValueRefusal((error as RangeError).message)
  }
}

/** A geometry of one of these types as text, reduced to its type and to the longitude and latitude of its corners. */
export function geometryText(geometry: unknown, types: readonly ShapeType[]): string {
  const typeName = isMembers(geometry) ? geometry['type'] : undefined
  const type = types.find((each) => each === typeName)
  if (!isMembers(geometry) || !type) {
    const came = isMembers(geometry) ? `type ${quote(typeName)}` : quote(geometry)
    throw new ValueRefusal(`geometry has to be a ${types.join(' or a ')}, and ${came} came`)
  }
  refuseCrs(geometry['crs'])
  return JSON.stringify({ type, coordinates: shapeReaders[type](geometry['coordinates'], 'coordinates') })
}

type ReadShape<Part> = (value: unknown, path: string) => Part

/** Reads a list of at least one part. */
const listShape =
  <Part>(of: string, read: ReadShape<Part>): ReadShape<Part[]> =>
  (value, path) => {
    if (Array.isArray(value) && value.length > 0) return value.map((each, at) => read(each, `${path}[${at}]`))
    const came = Array.isArray(value) ? 'an empty array' : quote(value)
    throw new ValueRefusal(`${path} has to be an array with ${of}, and ${came} came`)
  }

const positionsShape = listShape('positions', positionShape)
const polygonShape = listShape('rings', ringShape)
const shapeReaders = {
  Point: positionShape,
  MultiPoint: positionsShape,
  LineString: lineShape,
  MultiLineString: listShape('lines', lineShape),
  Polygon: polygonShape,
  MultiPolygon: listShape('polygons', polygonShape),
}
export type ShapeType = keyof typeof shapeReaders

function lineShape(value: unknown, path: string): LonLat[] {
  const line = positionsShape(value, path)
  if (line.length < 2)
    throw new ValueRefusal(`${path}: a line has to have at least 2 positions, and ${line.length} came`)
  return line
}

function ringShape(value: unknown, path: string): LonLat[] {
  const ring = positionsShape(value, path)
  if (ring.length < 4)
    throw new ValueRefusal(`${path}: a ring has to have at least 4 positions, and ${ring.length} came`)
  const [first, last] = [ring[0]!, ring.at(-1)!]
  if (first[0] === last[0] && first[1] === last[1]) return ring
  throw new ValueRefusal(`${path}: a ring has to end where it starts, at ${quote(first)}, and ends at ${quote(last)}`)
}

function positionShape(value: unknown, path: string): LonLat {
  const isPosition = Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every(Number.isFinite)
  if (!isPosition) {
    const needed = 'a position has to be an array of 2 or 3 finite numbers, longitude first'
    throw new ValueRefusal(`${path}: ${needed}, and ${quote(value)} came`)
  }
  const [lon, lat] = value as LonLat
  if (isInRange(lon, lat)) return [lon, lat]
  const came = `and ${lon}, ${lat} came`
  if (isInRange(lat, lon)) {
    throw new ValueRefusal(`${path}: the coordinates look swapped: GeoJSON order is longitude, latitude, ${came}`)
  }
  const needed = 'longitude has to be from -180 to 180 and latitude from -90 to 90, in degrees of WGS 84'
  throw new ValueRefusal(`${path}: ${needed}, ${came}`)
}

function isInRange(lon: number, lat: number): boolean {
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90
}

export function refuseCrs(crs: unknown): void {
  const fault = crsFault(crs)
  if (fault !== undefined) throw new ValueRefusal(fault)
}

/** GeoJSON of 2008 may name a coordinate system in a crs member. Only WGS 84 is accepted there. */
function crsFault(crs: unknown): string | undefined {
  if (crs === undefined || crs === null) return undefined
  const properties = isMembers(crs) ? crs['properties'] : undefined
  const name = isMembers(properties) ? (properties['name'] ?? properties['code']) : crs
  const asText = typeof name === 'number' ? `EPSG:${name}` : name
  if (typeof asText === 'string' && acceptedCrs.test(asText.trim())) return undefined
  return `crs has to be WGS 84 (urn:ogc:def:crs:OGC:1.3:CRS84 or EPSG:4326) or absent, and ${quote(name)} came`
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value for a message: JSON, cut to a line. */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

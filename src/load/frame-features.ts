/** One feature of an organisation's own grid, checked: what the load may put into a frame, or a fault that says why not. */
import { FileFault, type JsonValue } from './json-values.js'

const adminFields = ['state', 'stateCode', 'lga', 'lgaCode', 'ward', 'wardCode', 'zone', 'zoneCode'] as const
type AdminField = (typeof adminFields)[number]
type Admin = Record<AdminField, string | null>

/** A frame as a file states it; `geometry` is the GeoJSON text of the geometry only. */
export type FrameSource = { line: number; number: number; id: string; geometry: string } & Admin

type Members = Record<string, unknown>
type Position = [lon: number, lat: number]

/** What is wrong with a value, before it is known where in the file that value stands. */
class Refusal extends Error {}

const largestId = '9223372036854775807'
const fieldOfName = new Map<string, AdminField>(adminFields.map((field) => [field.toLowerCase(), field]))
const acceptedCrs =
  /^(urn:(x-)?ogc:def:crs:(ogc:[\d.]*:crs84|epsg:[\d.]*:4326)|(ogc:)?crs:?84|epsg:4326|wgs[ _]?(19)?84)$/i

export function frameFeature(value: JsonValue): FrameSource {
  const { text, line, number } = value
  return within(`feature ${number} (line ${line})`, line, number, () => {
    const feature = featureOf(parsed(text))
    const properties = propertiesOf(feature)
    const id = idOf(feature, properties)
    const geometry = geometryText(feature['geometry'])
    return { line, number, id, geometry, ...adminOf(feature, properties) }
  })
}

/** The area in a feature, or in a bare Polygon or MultiPolygon: what an outline is made of. */
export function areaText({ text, line, number }: JsonValue): string {
  return within(`feature ${number} (line ${line})`, line, number, () => {
    const given = parsed(text)
    return geometryText(isMembers(given) && given['type'] === 'Feature' ? given['geometry'] : given)
  })
}

/** Refuses a point whose position GeoJSON would not hold. */
export function checkPoint(coordinates: unknown, { line, number }: JsonValue): void {
  within(`ward ${number} (line ${line})`, line, number, () => positionOf(coordinates, 'coordinates', 0))
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

function within<T>(place: string, line: number, number: number | undefined, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) throw new FileFault(`${place}: ${error.message}`, line, number)
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text around the fault, line breaks and all.
    const reason = String(error instanceof Error ? error.message : error).replace(/\s+/g, ' ')
    throw new Refusal(`valid JSON is needed, and this is not: ${reason}`)
  }
}

/** A GeoJSON Feature, or a frame as this API answers it: no type, and a geometry beside its id. */
function featureOf(value: unknown): Members {
  if (!isMembers(value)) throw new Refusal(`a Feature is needed, and ${shown(value)} came`)
  const isFrame = value['type'] === undefined && value['id'] !== undefined && value['geometry'] !== undefined
  if (value['type'] !== 'Feature' && !isFrame) {
    const came = value['type'] === undefined ? 'no type' : `type ${shown(value['type'])}`
    throw new Refusal(`an object of type "Feature" is needed, or a frame with id and geometry, and ${came} came`)
  }
  checkCrsMember(value['crs'])
  return value
}

function propertiesOf(feature: Members): Members {
  const properties = feature['properties'] ?? {}
  if (!isMembers(properties)) throw new Refusal(`properties has to be an object or null, and ${shown(properties)} came`)
  return properties
}

function idOf(feature: Members, properties: Members): string {
  const id = feature['id'] ?? properties['id'] ?? properties['frame_id']
  if (id === undefined || id === null) {
    throw new Refusal('an id is needed, as id, properties.id or properties.frame_id, and none came')
  }
  if (typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)) {
    throw new Refusal(
      `id as a number may have up to 9007199254740991, beyond which it has to be a string, and ${id} came`,
    )
  }
  const text = typeof id === 'number' ? String(id) : id
  const isId = typeof text === 'string' && /^(0|[1-9]\d{0,18})$/.test(text)
  if (!isId || (text.length === largestId.length && text > largestId)) {
    throw new Refusal(`id has to be a whole number from 0 to ${largestId} without leading zeros, and ${shown(id)} came`)
  }
  return text
}

/** The text of a Polygon or MultiPolygon, with nothing but its type and the longitude and latitude of its corners. */
function geometryText(geometry: unknown): string {
  const type = isMembers(geometry) ? geometry['type'] : undefined
  if (!isMembers(geometry) || (type !== 'Polygon' && type !== 'MultiPolygon')) {
    const came = isMembers(geometry) ? `type ${shown(type)}` : shown(geometry)
    throw new Refusal(`geometry has to be a Polygon or a MultiPolygon, and ${came} came`)
  }
  checkCrsMember(geometry['crs'])
  const { coordinates } = geometry
  const corners =
    type === 'Polygon'
      ? polygonOf(coordinates, 'coordinates')
      : filled(coordinates, 'coordinates', 'polygons').map((each, at) => polygonOf(each, `coordinates[${at}]`))
  return JSON.stringify({ type, coordinates: corners })
}

function polygonOf(value: unknown, path: string): Position[][] {
  return filled(value, path, 'rings').map((ring, at) => ringOf(ring, `${path}[${at}]`))
}

function ringOf(value: unknown, path: string): Position[] {
  const ring = filled(value, path, 'positions').map((position, at) => positionOf(position, path, at))
  if (ring.length < 4) throw new Refusal(`${path}: a ring has to have at least 4 positions, and ${ring.length} came`)
  const [first, last] = [ring[0]!, ring.at(-1)!]
  if (first[0] === last[0] && first[1] === last[1]) return ring
  throw new Refusal(`${path}: a ring has to end where it starts, at ${shown(first)}, and ends at ${shown(last)}`)
}

function positionOf(value: unknown, ringPath: string, at: number): Position {
  const isPosition = Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every(Number.isFinite)
  if (!isPosition) {
    const needed = 'a position has to be an array of 2 or 3 finite numbers, longitude first'
    throw new Refusal(`${ringPath}[${at}]: ${needed}, and ${shown(value)} came`)
  }
  const [lon, lat] = value as Position
  if (isInRange(lon, lat)) return [lon, lat]
  const came = `and ${lon}, ${lat} came`
  if (isInRange(lat, lon)) {
    throw new Refusal(`${ringPath}[${at}]: the coordinates look swapped: GeoJSON order is longitude, latitude, ${came}`)
  }
  const needed = 'longitude has to be from -180 to 180 and latitude from -90 to 90, in degrees of WGS 84'
  throw new Refusal(`${ringPath}[${at}]: ${needed}, ${came}`)
}

function isInRange(lon: number, lat: number): boolean {
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90
}

function filled(value: unknown, path: string, of: string): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  const came = Array.isArray(value) ? 'an empty array' : shown(value)
  throw new Refusal(`${path} has to be an array with ${of}, and ${came} came`)
}

/** The units of a frame: each from the first place that fills it, however its name is spelled there. */
function adminOf(feature: Members, properties: Members): Admin {
  const admin: Admin = {
    state: null,
    stateCode: null,
    lga: null,
    lgaCode: null,
    ward: null,
    wardCode: null,
    zone: null,
    zoneCode: null,
  }
  for (const place of [feature['admin'], properties['admin'], properties]) {
    if (!isMembers(place)) continue
    for (const [name, value] of Object.entries(place)) {
      const field = fieldOfName.get(name.replaceAll('_', '').toLowerCase())
      if (field) admin[field] ??= unitText(name, value)
    }
  }
  if (admin.lga !== null && admin.state === null)
    throw new Refusal(`lga needs a state beside it, and ${shown(admin.lga)} came alone`)
  if (admin.state !== null && admin.lga === null)
    throw new Refusal(`state needs an lga beside it, and ${shown(admin.state)} came alone`)
  if (admin.ward !== null && admin.lga === null)
    throw new Refusal(`ward needs an lga beside it, and ${shown(admin.ward)} came alone`)
  return admin
}

function unitText(name: string, value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new Refusal(`${name} has to be a string, a number or null, and ${shown(value)} came`)
  }
  const text = String(value).trim()
  // PostgreSQL holds neither a NUL nor half a surrogate pair; the other control characters are in no name.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new Refusal(`${name} has to be plain text, and ${shown(value)} came`)
  return text === '' ? null : text
}

/** GeoJSON is WGS 84, longitude first; a crs member from the days of other systems may say only that. */
function checkCrsMember(crs: unknown) {
  if (crs === undefined || crs === null) return
  const properties = isMembers(crs) ? crs['properties'] : undefined
  const name = isMembers(properties) ? (properties['name'] ?? properties['code']) : crs
  const asText = typeof name === 'number' ? `EPSG:${name}` : name
  if (typeof asText === 'string' && acceptedCrs.test(asText.trim())) return
  throw new Refusal(
    `crs has to be WGS 84 (urn:ogc:def:crs:OGC:1.3:CRS84 or EPSG:4326) or absent, and ${shown(name)} came`,
  )
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as a message shows it: in JSON, and no longer than a line. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

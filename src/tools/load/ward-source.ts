/** Reads a row of a ward file: names and a point, or names and an area. */
import { UNIT_FIELDS, type UnitFields } from '../../core/unit-fields.js'
import { COORDINATE_NAMES } from './coordinates.js'
import { areaText, checkPoint, quote, type Members } from './geojson-shape.js'
import { FileFault } from './faults.js'
import type { JsonValue } from './json-values.js'

export type WardSource = {
  number: number
  geometry: { type: string; coordinates: unknown }
} & UnitFields

export function wardSource(value: JsonValue, file: string): WardSource {
  const fault = (reason: string) =>
    new FileFault(`${file}, ward ${value.number} (line ${value.line}): ${reason}`, value.line, value.number)
  let ward: Members
  try {
    ward = JSON.parse(value.text) as Members
  } catch (error) {
    throw fault(`this is not JSON: ${(error as Error).message}`)
  }
  if (typeof ward !== 'object' || ward === null) throw fault('an object is accepted.')
  const properties = ward['type'] === 'Feature' ? ((ward['properties'] ?? {}) as Members) : ward
  const members = new Map(Object.entries(properties).map(([name, member]) => [plainName(name), member]))
  const units = UNIT_FIELDS.map((field) => [field, unitName(members.get(plainName(field)))])
  return {
    number: value.number,
    ...(Object.fromEntries(units) as UnitFields),
    geometry: geometryOf(ward, members, fault, value),
  }
}

/** State, STATE and state are one name, and so are state_code, stateCode and StateCode. */
const plainName = (name: string) => name.toLowerCase().replaceAll('_', '')

function unitName(member: unknown): string | null {
  if (typeof member !== 'string' && typeof member !== 'number') return null
  return String(member)
}

function geometryOf(
  ward: Members,
  members: Map<string, unknown>,
  fault: (reason: string) => Error,
  value: JsonValue,
): WardSource['geometry'] {
  if (ward['type'] === 'Feature') {
    const geometry = ward['geometry'] as WardSource['geometry'] | null
    if (!geometry || !['Point', 'Polygon', 'MultiPolygon'].includes(geometry.type)) {
      throw fault(`a Point, Polygon or MultiPolygon is accepted; ${geometry?.type ?? 'no geometry'} came.`)
    }
    if (geometry.type === 'Point') checkPoint(geometry.coordinates, value)
    else areaText(value)
    return geometry
  }
  const [lon, lat] = [COORDINATE_NAMES.lon, COORDINATE_NAMES.lat].map((names): unknown =>
    names.map((name) => members.get(name)).find((member) => member !== undefined),
  )
  if (typeof lat !== 'number' || typeof lon !== 'number' || Math.abs(lat) > 90 || Math.abs(lon) > 180) {
    throw fault(
      `Latitude from -90 to 90 and Longitude from -180 to 180 are needed; ${quote(lat)} and ${quote(lon)} came.`,
    )
  }
  return { type: 'Point', coordinates: [lon, lat] }
}

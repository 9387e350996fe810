/** Reads a row of a ward file: names and a point, or names and an area. */
import { UNIT_FIELDS, type UnitFields } from '../../core/unit-fields.js'
import { COORDINATE_NAMES } from './coordinates.js'
import { geometryText, inPlace, isMembers, quote, Refusal, type Members } from './geojson-shape.js'
import type { JsonValue } from './json-values.js'

/** `geometry` is GeoJSON text. */
export type WardSource = { number: number; geometry: string } & UnitFields

export function wardSource(row: JsonValue): WardSource {
  return inPlace(row, 'ward', () => {
    const { value: ward, number } = row
    if (!isMembers(ward)) throw new Refusal(`an object is needed, and ${quote(ward)} came`)
    const isFeature = ward['type'] === 'Feature'
    const properties = isFeature ? ((ward['properties'] ?? {}) as Members) : ward
    const members = new Map(Object.entries(properties).map(([name, member]) => [plainName(name), member]))
    const units = UNIT_FIELDS.map((field) => [field, unitName(members.get(plainName(field)))])
    const geometry = isFeature ? ward['geometry'] : pointOf(members)
    return {
      number,
      ...(Object.fromEntries(units) as UnitFields),
      geometry: geometryText(geometry, ['Point', 'Polygon', 'MultiPolygon']),
    }
  })
}

/** State, STATE and state are one name, and so are state_code, stateCode and StateCode. */
const plainName = (name: string) => name.toLowerCase().replaceAll('_', '')

function unitName(member: unknown): string | null {
  if (typeof member !== 'string' && typeof member !== 'number') return null
  return String(member)
}

function pointOf(members: Map<string, unknown>): object {
  const [lon, lat] = [COORDINATE_NAMES.lon, COORDINATE_NAMES.lat].map((names): unknown =>
    names.map((name) => members.get(name)).find((member) => member !== undefined),
  )
  if (typeof lat === 'number' && typeof lon === 'number' && Math.abs(lat) <= 90 && Math.abs(lon) <= 180)
    return { type: 'Point', coordinates: [lon, lat] }
  throw new Refusal(
    `Latitude from -90 to 90 and Longitude from -180 to 180 are needed; ${quote(lat)} and ${quote(lon)} came`,
  )
}

/** The layers of schema analyst in the fixture. */
import { service } from '../support/service.js'

export const rows = <Row>(text: string, args: unknown[] = []) => service().db.rows<Row>(text, args)

const fills = [
  'lyr_administrative',
  'lyr_buildings',
  'lyr_clinics_distance',
  'lyr_culture',
  'lyr_market',
  'lyr_population',
  'lyr_schools_distance',
  'lyr_terrain',
  'lyr_urban',
]
export const types: Record<string, string> = {
  ...Object.fromEntries(
    ['frame', 'state', 'lga', 'ward', 'lyr_reserves', ...fills].map((name) => [name, 'MULTIPOLYGON']),
  ),
  ...Object.fromEntries(['lyr_schools', 'lyr_clinics', 'lyr_stalls'].map((name) => [name, 'MULTIPOINT'])),
  lyr_roads: 'MULTILINESTRING',
}
export const byText = (one: string, other: string) => (one < other ? -1 : 1)
export const names = Object.keys(types).toSorted(byText)
/** The key of a frame is the frame; a unit and a feature have a number. */
export const keyOf = (name: string) => (name === 'frame' || fills.includes(name) ? 'frame_id' : 'id')
export const isFeatures = (name: string) => name.startsWith('lyr_') && !fills.includes(name)

/** Writes a frame as a line of a file. */
import { csvCell } from '../../core/csv.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import type { Feature, Geometry } from './pages.js'

export type LineFormat = 'geojsonl' | 'csv'

/** A table as it is written: with units or without, and its CSV with the guard against formulas or without. */
export type TableForm = { units: boolean; guards: boolean }

const COLUMNS = ['frame_id', 'min_lon', 'min_lat', 'max_lon', 'max_lat', 'lon', 'lat', 'wkt']

/** Some format has a column of this name. Columns of values have the same names in all formats. */
export const TAKEN_NAMES = [...COLUMNS, ...UNIT_FIELDS, 'id', 'fid', 'geom', 'geometry', 'bbox']

type Ring = [lon: number, lat: number][]
export type Bounds = [west: number, south: number, east: number, north: number]

/** The line before the first frame; empty where the format has none. */
export const headLine = (format: LineFormat, table: TableForm): string => (format === 'csv' ? csvHead(table, []) : '')

export const frameLine = (format: LineFormat, feature: Feature, table: TableForm): string =>
  format === 'geojsonl' ? `${featureText(feature, propertiesOf(feature))}\n` : csvLine(feature, table, [])

/** `id` is a text as in the API. `frame_id` is a whole number as in the views and in the other formats. */
export function featureText({ type, id, geometry }: Feature, properties: readonly string[], withId = true): string {
  const shape = JSON.stringify(withId ? { type, id, geometry } : { type, geometry })
  return `${shape.slice(0, -1)},"properties":{${[member('frame_id', id), ...properties].join(',')}}}`
}

export const propertiesOf = ({ properties }: Feature): string[] =>
  Object.entries(properties).map(([name, value]) => member(name, JSON.stringify(value)))

export const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`

export const csvHead = ({ units, guards }: TableForm, values: readonly string[]): string =>
  `${[...COLUMNS, ...(units ? UNIT_FIELDS : []), ...values.map((name) => csvCell(name, { guards }))].join(',')}\n`

/** `values`: the cells after the columns that every file has. */
export function csvLine(feature: Feature, { units, guards }: TableForm, values: readonly string[]): string {
  const polygons = polygonsOf(feature.geometry)
  const [west, south, east, north] = boundsOf(feature.geometry)
  const names = units ? UNIT_FIELDS.map((unit) => feature.properties[unit] ?? '') : []
  const texts = [wkt(feature.geometry.type, polygons), ...names, ...values].map((text) => csvCell(text, { guards }))
  const numbers = [west, south, east, north, middle(west, east), middle(south, north)]
  return `${[feature.id, ...numbers, ...texts].join(',')}\n`
}

export function boundsOf(geometry: Geometry): Bounds {
  const places = polygonsOf(geometry).flat(2)
  const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)]
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
}

/** Returns undefined for the line of column names. */
export function frameIdIn(format: LineFormat, line: string): string | undefined {
  const found = format === 'csv' ? /^(\d+),/.exec(line) : /^\{"type":"Feature","id":"(\d+)"/.exec(line)
  return found?.[1]
}

const polygonsOf = ({ type, coordinates }: Geometry): Ring[][] =>
  type === 'Polygon' ? [coordinates as Ring[]] : (coordinates as Ring[][])

/** The API gives seven decimals, too. */
const middle = (one: number, other: number) => Number(((one + other) / 2).toFixed(7))

function wkt(type: Geometry['type'], polygons: Ring[][]): string {
  const ring = (places: Ring) => `(${places.map((place) => place.join(' ')).join(',')})`
  const texts = polygons.map((rings) => `(${rings.map(ring).join(',')})`)
  return type === 'Polygon' ? `POLYGON${texts.join('')}` : `MULTIPOLYGON(${texts.join(',')})`
}

/** Writes a frame as a line of a file. */
import { UNIT_FIELDS } from '../unit-fields.js'
import type { Feature, Geometry } from './pages.js'

export type LineFormat = 'geojsonl' | 'csv'

const COLUMNS = ['id', 'min_lon', 'min_lat', 'max_lon', 'max_lat', 'lon', 'lat', 'wkt']

type Ring = [lon: number, lat: number][]

/** The line before the first frame; empty where the format has none. */
export const headLine = (format: LineFormat, units: boolean): string =>
  format === 'csv' ? `${[...COLUMNS, ...(units ? UNIT_FIELDS : [])].join(',')}\n` : ''

export function frameLine(format: LineFormat, feature: Feature, units: boolean): string {
  if (format === 'geojsonl') return `${JSON.stringify(feature)}\n`
  const polygons = polygonsOf(feature.geometry)
  const places = polygons.flat(2)
  const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)]
  const [west, south] = [Math.min(...lons), Math.min(...lats)]
  const [east, north] = [Math.max(...lons), Math.max(...lats)]
  const names = units ? UNIT_FIELDS.map((unit) => csvCell(feature.properties[unit] ?? '')) : []
  const numbers = [west, south, east, north, middle(west, east), middle(south, north)]
  return `${[feature.id, ...numbers, csvCell(wkt(feature.geometry.type, polygons)), ...names].join(',')}\n`
}

/** Answers with undefined for the line of column names. */
export function frameIdIn(format: LineFormat, line: string): string | undefined {
  const found = format === 'csv' ? /^(\d+),/.exec(line) : /^\{"type":"Feature","id":"(\d+)"/.exec(line)
  return found?.[1]
}

const polygonsOf = ({ type, coordinates }: Geometry): Ring[][] =>
  type === 'Polygon' ? [coordinates as Ring[]] : (coordinates as Ring[][])

/** The API gives seven decimals, too. */
const middle = (one: number, other: number) => Number(((one + other) / 2).toFixed(7))

const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function wkt(type: Geometry['type'], polygons: Ring[][]): string {
  const ring = (places: Ring) => `(${places.map((place) => place.join(' ')).join(',')})`
  const texts = polygons.map((rings) => `(${rings.map(ring).join(',')})`)
  return type === 'Polygon' ? `POLYGON${texts.join('')}` : `MULTIPOLYGON(${texts.join(',')})`
}

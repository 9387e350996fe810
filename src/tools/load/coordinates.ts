/** Finds the coordinates in the rows of a file: degrees of WGS 84, with a point for the decimals. */
import { counted } from '../../core/counted.js'
import { isFileNumber } from '../../core/decimal.js'

export type FilePoint = { lon: number; lat: number }
export type PointColumns = { lon: number; lat: number; count: number }

const [LON_MAX, LAT_MAX] = [180, 90]

/** The first of these names that the file has is taken. Case makes no difference. */
export const COORDINATE_NAMES = {
  lon: ['lon', 'lng', 'longitude', 'x'],
  lat: ['lat', 'latitude', 'y'],
}

export const pointColumns = (names: readonly string[]): PointColumns => ({
  lon: coordinateColumn('lon', names),
  lat: coordinateColumn('lat', names),
  count: names.length,
})

function coordinateColumn(coordinate: keyof typeof COORDINATE_NAMES, names: readonly string[]): number {
  const folded = names.map((name) => name.trim().toLowerCase())
  const wanted = COORDINATE_NAMES[coordinate].find((name) => folded.includes(name))
  if (wanted === undefined)
    throw new Error(`No column is called ${COORDINATE_NAMES[coordinate].join(', ')}. There are ${names.join(', ')}.`)
  const first = folded.indexOf(wanted)
  if (folded.includes(wanted, first + 1)) throw new Error(`Two columns are called "${names[first]}".`)
  return first
}

/** Returns the reason as a text where the row has no usable point. */
export function pointIn(cells: readonly string[], { lon, lat, count }: PointColumns): FilePoint | string {
  if (cells.length !== count) return `${counted(count, 'value is', 'values are')} needed, ${cells.length} came`
  const [east, north] = [cells[lon]?.trim() ?? '', cells[lat]?.trim() ?? '']
  const fault = coordinateFault('lat', north, LAT_MAX) ?? coordinateFault('lon', east, LON_MAX)
  if (fault === undefined) return { lon: Number(east), lat: Number(north) }
  const isSwapped =
    isFileNumber(north) && isFileNumber(east) && Math.abs(+north) <= LON_MAX && Math.abs(+east) <= LAT_MAX
  return isSwapped ? `${fault}: are lon and lat swapped?` : fault
}

function coordinateFault(coordinate: keyof typeof COORDINATE_NAMES, text: string, most: number): string | undefined {
  if (text === '') return `${coordinate} is blank`
  if (!isFileNumber(text)) return `${coordinate}: a number such as 9.05 is accepted, "${text.slice(0, 40)}" came`
  return Math.abs(Number(text)) <= most ? undefined : `${coordinate}: ${text} is not between -${most} and ${most}`
}

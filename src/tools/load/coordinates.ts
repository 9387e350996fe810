/** Finds the coordinates in the rows of a file: degrees of WGS 84, with a point for the decimals. */
import { isFileNumber } from '../../core/decimal.js'
import { FileFault } from '../../core/text-file/index.js'
import { ValueRefusal } from './faults.js'

type PointColumns = { lon: number; lat: number }
type CoordinateName = keyof PointColumns

const [LON_MAX, LAT_MAX] = [180, 90]

/** The first of these names that the file has is taken. Case makes no difference. */
export const COORDINATE_NAMES: Record<CoordinateName, string[]> = {
  lon: ['lon', 'lng', 'longitude', 'x'],
  lat: ['lat', 'latitude', 'y'],
}

export const pointColumns = (names: readonly string[]): PointColumns => ({
  lon: coordinateColumn('lon', names),
  lat: coordinateColumn('lat', names),
})

function coordinateColumn(coordinate: CoordinateName, names: readonly string[]): number {
  const fault = (message: string) =>
    new FileFault(`line 1: ${message} A column "wkt" may have the shapes in their place.`, 1)
  const folded = names.map((name) => name.trim().toLowerCase())
  const known = COORDINATE_NAMES[coordinate]
  const wanted = known.find((name) => folded.includes(name))
  if (wanted === undefined) throw fault(`No column is called ${known.join(', ')}. There are ${names.join(', ')}.`)
  const first = folded.indexOf(wanted)
  if (folded.includes(wanted, first + 1)) throw fault(`Two columns are called "${names[first]}".`)
  return first
}

export function pointIn(cells: readonly string[], { lon, lat }: PointColumns): [lon: number, lat: number] {
  const [east, north] = [cells[lon]?.trim() ?? '', cells[lat]?.trim() ?? '']
  const fault = coordinateFault('lat', north, LAT_MAX) ?? coordinateFault('lon', east, LON_MAX)
  if (fault === undefined) return [Number(east), Number(north)]
  const isSwapped =
    isFileNumber(north) && isFileNumber(east) && Math.abs(+north) <= LON_MAX && Math.abs(+east) <= LAT_MAX
  throw new ValueRefusal(isSwapped ? `${fault}: are lon and lat swapped?` : fault)
}

function coordinateFault(coordinate: CoordinateName, text: string, most: number): string | undefined {
  if (text === '') return `${coordinate} is blank`
  if (!isFileNumber(text)) return `${coordinate}: a number such as 9.05 is accepted, "${text.slice(0, 40)}" came`
  return Math.abs(Number(text)) <= most ? undefined : `${coordinate}: ${text} is not between -${most} and ${most}`
}

/** Finds the coordinates in the rows of a file. They are accepted in the forms that GET /v1/frames/at accepts. */
import { isQueryNumber } from '../decimal.js'
import { LAT_MAX, LON_MAX } from '../http/param-schemas.js'
import type { Point } from '../http/params.js'
import { didYouMean } from '../nearest.js'

export type PointColumns = { lon: number; lat: number; count: number }
type CoordinateName = 'lon' | 'lat'

/** The first of these names that the file has is taken. Case makes no difference. */
const COLUMN_NAMES: Record<CoordinateName, string[]> = {
  lon: ['lon', 'lng', 'longitude', 'x'],
  lat: ['lat', 'latitude', 'y'],
}

export function pointColumns(
  names: readonly string[],
  named: Partial<Record<CoordinateName, string | undefined>>,
): PointColumns {
  const lon = columnOf('lon', names, named.lon)
  const lat = columnOf('lat', names, named.lat)
  if (lon === lat) throw new Error(`Column "${names[lon]}" cannot hold both longitudes and latitudes.`)
  return { lon, lat, count: names.length }
}

function columnOf(coordinate: CoordinateName, names: readonly string[], named: string | undefined): number {
  const folded = names.map((name) => name.trim().toLowerCase())
  const wanted =
    named === undefined ? COLUMN_NAMES[coordinate].find((name) => folded.includes(name)) : named.trim().toLowerCase()
  const there = `There are ${names.join(', ')}.`
  if (wanted === undefined) {
    const known = COLUMN_NAMES[coordinate].join(', ')
    throw new Error(`No column is called ${known}: name one with --${coordinate}. ${there}`)
  }
  const first = folded.indexOf(wanted)
  if (first === -1)
    throw new Error(`--${coordinate}: there is no column "${named}".${didYouMean(wanted, names)} ${there}`)
  if (folded.includes(wanted, first + 1)) throw new Error(`Two columns are called "${names[first]}".`)
  return first
}

/** Answers with the reason as a text where the row has no usable point. */
export function pointIn(cells: readonly string[], { lon, lat, count }: PointColumns): Point | string {
  if (cells.length !== count) return `${count} values are needed, ${cells.length} came`
  const [east, north] = [cells[lon]?.trim() ?? '', cells[lat]?.trim() ?? '']
  const fault = coordinateFault('lat', north, LAT_MAX) ?? coordinateFault('lon', east, LON_MAX)
  if (fault === undefined) return { lon: Number(east), lat: Number(north) }
  const isSwapped =
    isQueryNumber(north) && isQueryNumber(east) && Math.abs(+north) <= LON_MAX && Math.abs(+east) <= LAT_MAX
  return isSwapped ? `${fault}: are lon and lat swapped?` : fault
}

function coordinateFault(coordinate: CoordinateName, text: string, most: number): string | undefined {
  if (text === '') return `${coordinate} is blank`
  if (!isQueryNumber(text)) return `${coordinate}: a number such as 9.05 is accepted, "${text.slice(0, 40)}" came`
  return Math.abs(Number(text)) <= most ? undefined : `${coordinate}: ${text} is not between -${most} and ${most}`
}

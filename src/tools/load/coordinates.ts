/** Finds the coordinates in the rows of a file: degrees of WGS 84, with a point for the decimals. */
import { counted } from '../../core/counted.js'
import { isFileNumber } from '../../core/decimal.js'
import { didYouMean } from '../../core/nearest.js'

export type FilePoint = { lon: number; lat: number }
export type PointColumns = { lon: number; lat: number; count: number }
type CoordinateName = 'lon' | 'lat'

const [LON_MAX, LAT_MAX] = [180, 90]

/** The first of these names that the file has is taken. Case makes no difference. */
export const COORDINATE_NAMES: Record<CoordinateName, string[]> = {
  lon: ['lon', 'lng', 'longitude', 'x'],
  lat: ['lat', 'latitude', 'y'],
}

export function pointColumns(
  names: readonly string[],
  named?: Partial<Record<CoordinateName, string | undefined>>,
): PointColumns {
  const lon = coordinateColumn('lon', names, named)
  const lat = coordinateColumn('lat', names, named)
  if (lon === lat) throw new Error(`Column "${names[lon]}" cannot hold both longitudes and latitudes.`)
  return { lon, lat, count: names.length }
}

/** A command without the options has no `named`. */
function coordinateColumn(
  coordinate: CoordinateName,
  names: readonly string[],
  options: Parameters<typeof pointColumns>[1],
) {
  const folded = names.map((name) => name.trim().toLowerCase())
  const named = options?.[coordinate]
  const wanted =
    named === undefined
      ? COORDINATE_NAMES[coordinate].find((name) => folded.includes(name))
      : named.trim().toLowerCase()
  const there = `There are ${names.join(', ')}.`
  if (wanted === undefined) {
    const known = COORDINATE_NAMES[coordinate].join(', ')
    const advice = options === undefined ? '.' : `: name one with --${coordinate}.`
    throw new Error(`No column is called ${known}${advice} ${there}`)
  }
  const first = folded.indexOf(wanted)
  if (first === -1)
    throw new Error(`--${coordinate}: there is no column "${named}".${didYouMean(wanted, names)} ${there}`)
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

function coordinateFault(coordinate: CoordinateName, text: string, most: number): string | undefined {
  if (text === '') return `${coordinate} is blank`
  if (!isFileNumber(text)) return `${coordinate}: a number such as 9.05 is accepted, "${text.slice(0, 40)}" came`
  return Math.abs(Number(text)) <= most ? undefined : `${coordinate}: ${text} is not between -${most} and ${most}`
}

/** Reads a latitude and a longitude as people write them. */
import { LAT_MAX, LON_MAX } from '../../api/http/param-schemas.js'
import type { CodePoint } from './plus-code.js'

const DEGREES_PATTERN = String.raw`([+-]?\d+(?:\.\d+)?)\s*°?\s*`
const MINUTES_PATTERN = String.raw`(?:(\d+(?:\.\d+)?)\s*['′’]\s*)?`
const SECONDS_PATTERN = String.raw`(?:(\d+(?:\.\d+)?)\s*(?:["″”]|'')\s*)?`
const DEGREES_MINUTES_SECONDS = DEGREES_PATTERN + MINUTES_PATTERN + SECONDS_PATTERN
const coordinatePair = (one: string) => new RegExp(String.raw`^${one}\s*[,;\s]\s*${one}$`, 'i')
const LETTERS_BEFORE = coordinatePair(String.raw`([NSEW])\s*${DEGREES_MINUTES_SECONDS}`)
const LETTERS_AFTER = coordinatePair(`${DEGREES_MINUTES_SECONDS}([NSEW])?`)

type Coordinate = { degrees: number; letter: string }

export const isOnEarth = ({ lat, lon }: CodePoint): boolean => Math.abs(lat) <= LAT_MAX && Math.abs(lon) <= LON_MAX

/**
 * Accepts "9.05, 7.49", "9.05 7.49", "9.05°N 7.49°E" and "9°03'00"N, 7°29'24"E". Without letters the latitude comes
 * first. The degrees may be too many for a place on Earth. Undefined where the text is no pair of coordinates.
 */
export function pairOfDegrees(text: string): CodePoint | undefined {
  const [first, second] = pairIn(text.trim().replaceAll('−', '-'))
  if (!first || !second) return undefined
  const isTurned = /[EW]/.test(first.letter) || /[NS]/.test(second.letter)
  const [lat, lon] = isTurned ? [second, first] : [first, second]
  if (/[EW]/.test(lat.letter) || /[NS]/.test(lon.letter)) return undefined
  return { lat: lat.degrees, lon: lon.degrees }
}

function pairIn(text: string): (Coordinate | undefined)[] {
  const after = LETTERS_AFTER.exec(text)
  if (after) return [coordinate(after[4], after.slice(1, 4)), coordinate(after[8], after.slice(5, 8))]
  const before = LETTERS_BEFORE.exec(text)
  return before ? [coordinate(before[1], before.slice(2, 5)), coordinate(before[5], before.slice(6, 9))] : []
}

function coordinate(letter: string | undefined, parts: readonly (string | undefined)[]): Coordinate | undefined {
  const [degrees = '', minutes = '0', seconds = '0'] = parts
  const isNegative = degrees.startsWith('-')
  if ((isNegative && letter !== undefined) || Number(minutes) >= 60 || Number(seconds) >= 60) return undefined
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600
  const side = letter?.toUpperCase() ?? ''
  return { degrees: isNegative || /[SW]/.test(side) ? -size : size, letter: side }
}

/** Reads the text of a search, the same on the map and on the page Find: a frame id, a place, or the name of a unit. */
import { LAT_MAX, LON_MAX } from '../../core/parameters.js'
import { isFrameId } from '../../core/frame-id.js'
import { html, type Html } from '../shell/html.js'

export type Point = { lat: number; lon: number }
type SearchedPlace =
  | { is: 'frame' | 'name' }
  | { is: 'point'; point: Point }
  /** No place has these degrees. */
  | { is: 'beyond'; pair: Point }

export function searchedPlace(words: string): SearchedPlace {
  if (isFrameId(words)) return { is: 'frame' }
  const pair = pairOfDegrees(words)
  if (!pair) return { is: 'name' }
  return isOnEarth(pair) ? { is: 'point', point: pair } : { is: 'beyond', pair }
}

const isOnEarth = ({ lat, lon }: Point): boolean => Math.abs(lat) <= LAT_MAX && Math.abs(lon) <= LON_MAX

/** Accepts "9.05, 7.49" and "9.05 7.49": the latitude comes first. */
function pairOfDegrees(text: string): Point | undefined {
  const [, lat, lon] =
    /^([+-]?\d+(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)$/.exec(text.trim().replaceAll('−', '-')) ?? []
  return lat === undefined ? undefined : { lat: Number(lat), lon: Number(lon) }
}

export const roundedPoint = ({ lat, lon }: Point): Point => ({ lat: rounded(lat), lon: rounded(lon) })

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

export function noFrameAtText(point: Point): string {
  const { lat, lon } = roundedPoint(point)
  return `No frame contains ${lat}, ${lon} (latitude, longitude).`
}

/** A person who writes the longitude first gets the other order as a link. */
export function beyondNote({ lat, lon }: Point, searchFor: (words: string) => string): Html {
  const fault =
    Math.abs(lat) > LAT_MAX
      ? `A latitude lies between -${LAT_MAX} and ${LAT_MAX}; ${lat} is none.`
      : `A longitude lies between -${LON_MAX} and ${LON_MAX}; ${lon} is none.`
  const link = html` Are they swapped? <a href="${searchFor(`${lon}, ${lat}`)}">Latitude ${lon}, longitude ${lat}</a>`
  return html`${fault}${isOnEarth({ lat: lon, lon: lat }) && link}`
}

/** Reads the text of a search, the same on the map and on the page Find: a frame id, a place, or the name of a unit. */
import { LAT_MAX, LON_MAX } from '../../api/http/param-schemas.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { isFrameId } from '../../core/frame-id.js'
import { html, type Html } from '../shell/html.js'
import { isOnEarth, pairOfDegrees } from './coordinates.js'
import { isShortCode, looksLikePlusCode, nearestPoint, plusCodePoint, type CodePoint } from './plus-code.js'
import { extentOfIndex, unitFacts, unitsNamed } from './statements.js'
import { unitArgs, unitOfNames } from './words.js'

export type SearchedPlace =
  | { is: 'frame' | 'name' }
  | { is: 'point'; point: CodePoint }
  /** No place has these degrees. */
  | { is: 'beyond'; pair: CodePoint }
  | { is: 'no code' }
  /** A short code stands beside a name that no unit has. */
  | { is: 'no unit'; code: string; name: string }

/** `near`: a short code is looked for here. Undefined: near the middle of the index. */
export async function searchedPlace(reader: Reader, words: string, near?: CodePoint): Promise<SearchedPlace> {
  if (isFrameId(words)) return { is: 'frame' }
  const [, code = '', name = ''] = /^(\S+\+\S*)\s+(\S.*)$/.exec(words) ?? []
  if (isShortCode(code)) return await codeNearUnit(reader, code, name)
  const compact = words.replace(/\s+/g, '')
  if (isShortCode(compact)) return pointOrNone(nearestPoint(compact, near ?? (await middleOfIndex(reader))))
  if (looksLikePlusCode(compact)) return pointOrNone(plusCodePoint(compact))
  const pair = pairOfDegrees(words)
  if (!pair) return { is: 'name' }
  return isOnEarth(pair) ? { is: 'point', point: pair } : { is: 'beyond', pair }
}

const pointOrNone = (point: CodePoint | undefined): SearchedPlace =>
  point ? { is: 'point', point } : { is: 'no code' }

async function middleOfIndex(reader: Reader): Promise<CodePoint> {
  const [extent] = await extentOfIndex(reader)
  const { minLon, minLat, maxLon, maxLat } = extent ?? {}
  return { lat: ((minLat ?? 0) + (maxLat ?? 0)) / 2, lon: ((minLon ?? 0) + (maxLon ?? 0)) / 2 }
}

/** A short code stands beside the name of a unit near by, as map services write it. */
async function codeNearUnit(reader: Reader, code: string, name: string): Promise<SearchedPlace> {
  const [unit] = await unitsNamed(reader, name, 1)
  const [facts] = unit ? await unitFacts(reader, ...unitArgs(unitOfNames(unit))) : []
  if (!facts) return { is: 'no unit', code, name }
  const middle = { lat: (facts.minLat + facts.maxLat) / 2, lon: (facts.minLon + facts.maxLon) / 2 }
  return pointOrNone(nearestPoint(code, middle))
}

export const NO_CODE =
  'This is no Plus Code. These are: 6FG22222+22, 2222+22 for a place in the middle, 2222+22 Lakeside.'

export const noUnitText = (code: string, name: string): string =>
  `No unit is named ${name}, so the place of ${code} is not known.`

export const roundedPoint = ({ lat, lon }: CodePoint): CodePoint => ({ lat: rounded(lat), lon: rounded(lon) })

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

export function noFrameAtText(point: CodePoint): string {
  const { lat, lon } = roundedPoint(point)
  return `No frame contains ${lat}, ${lon} (latitude, longitude).`
}

/** A person who writes the longitude first gets the other order as a link. */
export function beyondNote({ lat, lon }: CodePoint, searchFor: (words: string) => string): Html {
  const fault =
    Math.abs(lat) > LAT_MAX
      ? `A latitude lies between -${LAT_MAX} and ${LAT_MAX}; ${lat} is none.`
      : `A longitude lies between -${LON_MAX} and ${LON_MAX}; ${lon} is none.`
  const link = html` Are they swapped? <a href="${searchFor(`${lon}, ${lat}`)}">Latitude ${lon}, longitude ${lat}</a>`
  return html`${fault}${isOnEarth({ lat: lon, lon: lat }) && link}`
}

/** Parses parameters into true types, or refuses them with a message that says what would be accepted and what came. */
import { isQueryNumber } from '../../core/decimal.js'
import { invalid, invalidBox, invalidPoint, shortened } from '../../core/errors.js'
import { FRAME_ID_MAX } from '../../core/frame-id.js'
import {
  DATASETS_MAX,
  frameIdPattern,
  FRAMES_MAX,
  IDS_MAX,
  LAT_MAX,
  layerIdPattern,
  LIMIT_MIN,
  LON_MAX,
} from '../../core/parameters.js'
import { didYouMean } from '../../core/nearest.js'
import { type Place, placesOf, readBox, readIds, readUnit, UNIT_LEVELS } from '../../core/place.js'
import { digitsParam, numberText, type Query, textParam } from './query.js'

export type Point = { lon: number; lat: number }
/** A plus sign stays a sign here: forms would turn it into a blank. */
function degreesWithin(sent: string, name: string, most: number): number {
  const value = isQueryNumber(sent) ? Number(sent) : NaN
  if (Math.abs(value) <= most) return value
  throw invalidPoint(`${name}: a decimal number from -${most} to ${most} is accepted, "${shortened(sent)}" was sent.`)
}

export function pointParam(query: Query): Point {
  const lat = numberText(query, 'lat', invalidPoint)
  const lon = numberText(query, 'lon', invalidPoint)
  const lng = numberText(query, 'lng', invalidPoint)
  if (lat === undefined) throw invalidPoint('lat: missing; both lat and lon are needed, in degrees.')
  const east = lon ?? lng
  if (east === undefined) throw invalidPoint('lon: missing; both lat and lon are needed, in degrees.')
  if (
    isQueryNumber(lat) &&
    isQueryNumber(east) &&
    Math.abs(+lat) > LAT_MAX &&
    Math.abs(+lat) <= LON_MAX &&
    Math.abs(+east) <= LAT_MAX
  ) {
    throw invalidPoint(`lat: ${lat} is beyond ${LAT_MAX}, lon is ${east}: are they swapped?`)
  }
  const point = {
    lat: degreesWithin(lat, 'lat', LAT_MAX),
    lon: degreesWithin(east, 'lon', LON_MAX),
  }
  if (lng !== undefined && degreesWithin(lng, 'lng', LON_MAX) !== point.lon) {
    throw invalidPoint('lon and lng: both given and different; lng is another spelling of lon.')
  }
  return point
}

/** The places that a call names: it takes one. */
export function placesParam(query: Query): Place[] {
  const box = (text: string | undefined) => (text === undefined ? undefined : readBox(text))
  return placesOf({
    frames: idsParam(query),
    box: box(numberText(query, 'bbox', invalidBox)),
    unit: readUnit(UNIT_LEVELS.map((level) => textParam(query, level, invalid))),
  })
}

/** A limit above the cap becomes the cap: caps never refuse. */
export function limitParam(query: Query, otherwise = FRAMES_MAX): number {
  const text = digitsParam(query, 'limit')
  if (text === undefined) return otherwise
  if (!/^[0-9]+$/.test(text) || Number(text) < LIMIT_MIN) {
    throw invalid(
      `limit: a whole number from ${LIMIT_MIN} to ${FRAMES_MAX} is accepted, "${shortened(text)}" was sent.`,
    )
  }
  return Math.min(Number(text), FRAMES_MAX)
}

export function afterParam(query: Query): string | undefined {
  const text = digitsParam(query, 'after')
  if (text === undefined) return undefined
  if (!frameIdPattern.test(text))
    throw invalid(`after: the next of the page before is accepted, "${shortened(text)}" was sent.`)
  return BigInt(text) > BigInt(FRAME_ID_MAX) ? FRAME_ID_MAX : text
}

function idsParam(query: Query): string[] | undefined {
  const text = digitsParam(query, 'ids')
  return text === undefined ? undefined : readIds(text)
}

export function neededIdsParam(query: Query): string[] {
  const ids = idsParam(query)
  if (!ids) throw invalid(`ids: missing; up to ${IDS_MAX} frame ids are needed, separated by commas.`)
  return ids
}

/** Undefined: the call is about every dataset that the key can read. */
export function datasetsParam(query: Query): string[] | undefined {
  const text = textParam(query, 'datasets', invalid)
  if (text === undefined) return undefined
  const sent = text.split(',')
  if (sent.length > DATASETS_MAX) throw invalid(`datasets: ${sent.length} given, at most ${DATASETS_MAX}.`)
  const wrong = sent.find((id) => !layerIdPattern.test(id))
  if (wrong === undefined) return [...new Set(sent)]
  throw invalid(`datasets: ids such as lyr_population are accepted, separated by commas; "${shortened(wrong)}" came.`)
}

export function priceParam(query: Query): boolean {
  const text = textParam(query, 'price', invalid) ?? 'false'
  if (text !== 'true' && text !== 'false')
    throw invalid(`price: true or false is accepted, "${shortened(text)}" was sent.`)
  return text === 'true'
}

/** A call that may charge ignores no parameter: a misspelt one could charge for every dataset. */
export function refuseUnknown(query: Query, taken: readonly string[]): void {
  const other = [...query.keys()].find((name) => !taken.includes(name))
  if (other === undefined) return
  const names = [taken.slice(0, -1).join(', '), taken.at(-1)].filter((name) => name !== '').join(' and ')
  throw invalid(`${shortened(other)}: this call takes ${names}.${didYouMean(other, taken)}`)
}

/** Reads the unit of a list, down to a level. A list that ignored a name would have more than the call asks for. */
export function namesParam(query: Query, levels: number): (string | undefined)[] {
  const taken = UNIT_LEVELS.slice(0, levels)
  const other = UNIT_LEVELS.slice(levels).find((name) => query.has(name))
  if (other !== undefined) throw invalid(`${other}: this list takes ${taken.join(' and ') || 'no unit'}.`)
  return taken.map((level) => textParam(query, level, invalid))
}

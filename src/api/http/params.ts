/** Parses parameters into true types, or refuses them with a message that says what would be accepted and what came. */
import { isQueryNumber } from '../../core/decimal.js'
import { invalid, invalidBox, invalidPoint, type ApiError } from '../../core/errors.js'
import { FRAME_ID_MAX } from '../../core/frame-id.js'
import {
  DATASETS_MAX,
  frameIdPattern,
  FRAMES_MAX,
  IDS_MAX,
  idsPattern,
  LAT_MAX,
  layerIdPattern,
  LIMIT_MIN,
  LON_MAX,
  namePattern,
} from './param-schemas.js'
import { didYouMean } from '../../core/nearest.js'
import { decode, type Query } from './query.js'

type Refuse = (message: string) => ApiError

export type Point = { lon: number; lat: number }
export type Box = { minLon: number; minLat: number; maxLon: number; maxLat: number }
export type Unit =
  | { level: 'state'; state: string }
  | { level: 'lga'; state: string; lga: string }
  | { level: 'ward'; state: string; lga: string; ward: string }

/** The value is still encoded. Undefined: the parameter is absent. */
function encodedValue(query: Query, name: string, refuse: Refuse): string | undefined {
  const values = query.get(name)
  if (!values) return undefined
  if (values.length > 1) throw refuse(`${name}: given ${values.length} times, once is accepted.`)
  return values[0]
}

/** A text that cannot be decoded is no number: the message will show it as it came. */
export function numberText(query: Query, name: string, refuse: Refuse): string | undefined {
  const sent = encodedValue(query, name, refuse)
  return sent === undefined ? undefined : (decode(sent) ?? sent)
}

export function textParam(query: Query, name: string, refuse: Refuse): string | undefined {
  const sent = encodedValue(query, name, refuse)
  return sent === undefined ? undefined : decodedText(sent.replaceAll('+', ' '), name, refuse)
}

/** A number, or ids of digits. A plus sign stays a sign, so that a message shows what the client sent. */
function digitsParam(query: Query, name: string): string | undefined {
  const sent = encodedValue(query, name, invalid)
  return sent === undefined ? undefined : decodedText(sent, name, invalid)
}

function decodedText(sent: string, name: string, refuse: Refuse): string {
  const text = decode(sent)
  if (text === undefined) throw refuse(`${name}: this is not percent-encoded UTF-8.`)
  if (namePattern.test(text)) return text
  throw refuse(text.includes('\0') ? `${name}: a NUL character is not accepted.` : `${name}: given without a value.`)
}

/** A plus sign stays a sign here: forms would turn it into a blank. */
function numberWithin(sent: string, name: string, most: number, refuse: Refuse): number {
  const value = isQueryNumber(sent) ? Number(sent) : NaN
  if (Math.abs(value) <= most) return value
  throw refuse(`${name}: a decimal number from -${most} to ${most} is accepted, "${shortened(sent)}" was sent.`)
}

export const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

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
    lat: numberWithin(lat, 'lat', LAT_MAX, invalidPoint),
    lon: numberWithin(east, 'lon', LON_MAX, invalidPoint),
  }
  if (lng !== undefined && numberWithin(lng, 'lng', LON_MAX, invalidPoint) !== point.lon) {
    throw invalidPoint('lon and lng: both given and different; lng is another spelling of lon.')
  }
  return point
}

export function boxParam(query: Query): Box | undefined {
  const text = numberText(query, 'bbox', invalidBox)
  if (text === undefined) return undefined
  const parts = text.split(',')
  if (parts.length !== 4) {
    throw invalidBox(`bbox: minLon,minLat,maxLon,maxLat is accepted, four numbers; "${shortened(text)}" was sent.`)
  }
  const [minLon = 0, minLat = 0, maxLon = 0, maxLat = 0] = parts.map((part, i) =>
    numberWithin(part, `bbox, ${CORNERS[i]}`, i % 2 === 0 ? LON_MAX : LAT_MAX, invalidBox),
  )
  if (minLon > maxLon) throw invalidBox(`bbox: minLon ${minLon} is greater than maxLon ${maxLon}.`)
  if (minLat > maxLat) throw invalidBox(`bbox: minLat ${minLat} is greater than maxLat ${maxLat}.`)
  return { minLon, minLat, maxLon, maxLat }
}

const CORNERS = ['minLon', 'minLat', 'maxLon', 'maxLat']

export function unitParam(query: Query): Unit | undefined {
  const state = textParam(query, 'state', invalid)
  const lga = textParam(query, 'lga', invalid)
  const ward = textParam(query, 'ward', invalid)
  if (ward !== undefined && (lga === undefined || state === undefined))
    throw invalid('ward: needs state and lga beside it.')
  if (lga !== undefined && state === undefined) throw invalid('lga: needs state beside it.')
  if (state === undefined) return undefined
  if (lga === undefined) return { level: 'state', state }
  return ward === undefined ? { level: 'lga', state, lga } : { level: 'ward', state, lga, ward }
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

/** Keeps the order of the call, and each id once. */
export function idsParam(query: Query): string[] | undefined {
  const text = digitsParam(query, 'ids')
  if (text === undefined) return undefined
  const sent = text.split(',')
  if (sent.length > IDS_MAX) throw invalid(`ids: ${sent.length} given, at most ${IDS_MAX}.`)
  if (!idsPattern.test(text)) {
    const wrong = sent.find((id) => !frameIdPattern.test(id)) ?? ''
    throw invalid(`ids: frame ids of digits are accepted, separated by commas; "${shortened(wrong)}" came.`)
  }
  return [...new Set(sent)]
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

/** The dataset that colours a map. */
export function datasetParam(query: Query): string | undefined {
  const text = textParam(query, 'dataset', invalid)
  if (text === undefined || layerIdPattern.test(text)) return text
  throw invalid(`dataset: an id such as lyr_population is accepted, "${shortened(text)}" was sent.`)
}

export const attributeParam = (query: Query) => textParam(query, 'attribute', invalid)

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

const SELECTORS = ['state', 'lga', 'ward']

/** A list that ignored a selector would answer with more than the call asks for. */
export function refuseOtherSelectors(query: Query, taken: readonly string[]): void {
  const other = SELECTORS.find((name) => query.has(name) && !taken.includes(name))
  if (other === undefined) return
  throw invalid(`${other}: this list takes ${taken.length === 0 ? 'no unit' : taken.join(' and ')}.`)
}

export const stateParam = (query: Query) => textParam(query, 'state', invalid)
export const lgaParam = (query: Query) => textParam(query, 'lga', invalid)

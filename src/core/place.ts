/** Where: frames by their ids, all frames of a unit, or all that touch a box or a shape. */
import { manyOf, noun } from './counted.js'
import { groupThousands, isQueryNumber } from './decimal.js'
import { invalid, invalidBox, shortened } from './errors.js'
import { placeName } from './place-name.js'
import { frameIdPattern, IDS_MAX, idsPattern, LAT_MAX, LON_MAX } from './parameters.js'

/** The names of a state, an LGA and a ward, as far as they are given; empty for the whole index. */
export type UnitPath = readonly string[]
/** A box in degrees. */
export type Corners = readonly [minLon: number, minLat: number, maxLon: number, maxLat: number]
/** Nobody names its frames. A shape is a polygon as text that shapeOf has checked. */
export type Area = { unit: UnitPath } | { box: Corners } | { shape: string }
export type Place = { frames: readonly string[] } | Area

export const UNIT_LEVELS = ['state', 'lga', 'ward'] as const
export type UnitLevel = (typeof UNIT_LEVELS)[number]
/** What people call the country, or a level of its units: `lga` is a "district". */
export type PlaceWord = readonly [level: UnitLevel | 'country', word: string]
export const isUnitLevel = (name: string): name is UnitLevel => UNIT_LEVELS.some((level) => level === name)
export const levelOf = (unit: UnitPath): UnitLevel | 'country' => UNIT_LEVELS[unit.length - 1] ?? 'country'
const LEVEL_NOUNS = { country: 'index', state: 'state', lga: 'LGA', ward: 'ward' }
let levelNouns: Readonly<typeof LEVEL_NOUNS> = LEVEL_NOUNS
/** A process serves one country: sentences call its levels what the setting PLACE_WORDS says. */
export function callLevels(words: readonly PlaceWord[]): void {
  levelNouns = { ...LEVEL_NOUNS, ...Object.fromEntries(words.filter(([level]) => level !== 'country')) }
}
export const levelNoun = (level: UnitLevel | 'country'): string => levelNouns[level]
export const levelPlural = (level: UnitLevel | 'country'): string => manyOf(levelNouns[level])

/** SQL takes a place as this text: ids, or a name of the place (sql/functions/frame_set.sql). */
export function setOf(place: Place): string[] {
  if ('frames' in place) return [...place.frames]
  if ('unit' in place) return ['unit', ...place.unit]
  return 'box' in place ? ['box', ...place.box.map(String)] : ['shape', place.shape]
}

/** Writes "Kilo, Lakeside, Marembe". */
export const unitText = (unit: UnitPath): string => placeName(unit.toReversed().join(', '))

/** Names a place for people: "the LGA Lakeside, Marembe". */
export function placeText(place: Place): string {
  if ('frames' in place) return `${groupThousands(String(place.frames.length))} ${noun(place.frames.length, 'frame')}`
  if (!('unit' in place)) return `the frames of a ${'box' in place ? 'box' : 'shape'}`
  return place.unit.length === 0 ? 'the whole index' : `the ${levelNoun(levelOf(place.unit))} ${unitText(place.unit)}`
}

/** Statements compare names in this form, too: case and blanks make no difference. */
export const foldName = (name: string): string => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase()

/** Keeps the order of the ids, and each once. */
export function readIds(text: string): string[] {
  const sent = text.split(',')
  if (sent.length > IDS_MAX) throw invalid(`ids: ${sent.length} given, at most ${IDS_MAX}.`)
  if (idsPattern.test(text)) return [...new Set(sent)]
  const wrong = sent.find((id) => !frameIdPattern.test(id)) ?? ''
  throw invalid(`ids: frame ids of digits are accepted, separated by commas; "${shortened(wrong)}" came.`)
}

/** Reads a state, an LGA and a ward; undefined where none of them is named. */
export function readUnit(names: readonly (string | undefined)[]): UnitPath | undefined {
  const path = names.slice(0, 1 + names.findLastIndex((name) => name !== undefined))
  if (path.includes(undefined)) {
    const level = path.length - 1
    throw invalid(`${UNIT_LEVELS[level]}: needs ${UNIT_LEVELS.slice(0, level).join(' and ')} beside it.`)
  }
  return path.length === 0 ? undefined : path.flatMap((name) => name ?? [])
}

/** How a door says what is wrong with a box; `side` counts from the west, by the south and the east. */
type BoxFaults = {
  count: (text: string, numbers: number) => string
  number: (side: number, most: number, text: string) => string
  order: (side: number, low: number, high: number) => string
}

const CORNERS = ['minLon', 'minLat', 'maxLon', 'maxLat'] as const
const FAULTS_OF_CALL: BoxFaults = {
  count: (text) => `bbox: minLon,minLat,maxLon,maxLat is accepted, four numbers; "${shortened(text)}" was sent.`,
  number: (side, most, text) =>
    `bbox, ${CORNERS[side]}: a decimal number from -${most} to ${most} is accepted, "${shortened(text)}" was sent.`,
  order: (side, low, high) => `bbox: ${CORNERS[side]} ${low} is greater than ${CORNERS[side + 2]} ${high}.`,
}

export function readBox(text: string, faults = FAULTS_OF_CALL): Corners {
  const parts = text.split(',')
  if (parts.length !== CORNERS.length) throw invalidBox(faults.count(text, parts.length))
  const [west = 0, south = 0, east = 0, north = 0] = parts.map((part, side) => {
    const most = side % 2 === 0 ? LON_MAX : LAT_MAX
    const value = isQueryNumber(part) ? Number(part) : NaN
    if (Math.abs(value) <= most) return value
    throw invalidBox(faults.number(side, most, part))
  })
  if (west > east) throw invalidBox(faults.order(0, west, east))
  if (south > north) throw invalidBox(faults.order(1, south, north))
  return [west, south, east, north]
}

/** The places of these parts that are given. */
export const placesOf = (parts: { frames?: unknown; box?: unknown; unit?: unknown; shape?: unknown }): Place[] =>
  Object.entries(parts).flatMap(([kind, value]) => (value === undefined ? [] : [{ [kind]: value } as Place]))

/** Writes a place as the parameters of a call. */
export function parametersOf(place: Place): Readonly<Record<string, string>> {
  if ('frames' in place) return { ids: place.frames.join(',') }
  if ('box' in place) return { bbox: place.box.join(',') }
  return 'shape' in place ? place : Object.fromEntries(place.unit.map((name, i) => [UNIT_LEVELS[i], name]))
}

/** Undefined: a row about nothing has no corners. */
export function cornersOf(row: Partial<Record<(typeof CORNERS)[number], number | null>> = {}): Corners | undefined {
  const [west, south, east, north] = CORNERS.map((corner) => row[corner] ?? undefined)
  return west === undefined || south === undefined || east === undefined || north === undefined
    ? undefined
    : [west, south, east, north]
}

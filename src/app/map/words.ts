/** Writes units, places and figures for the panels of the map. */
import { placeName } from '../../core/place-name.js'
import { type Corners, setOf, UNIT_LEVELS, type UnitLevel, type UnitPath } from '../../core/place.js'
import type { UnitNames } from './rows.js'
import { countText } from '../shell/amounts.js'
import { html, type Html } from '../shell/html.js'
import { mapLink, type MapData } from './data.js'
import { UNIT_TITLES } from './view.js'

export const pathOf = ({ state, lga, ward }: UnitNames): UnitPath => [state, lga, ward].filter((name) => name !== null)

/** Statements take the names of a unit like this. */
export const unitArgs = ([state = '', lga, ward]: UnitPath): [
  state: string,
  lga: string | null,
  ward: string | null,
] => [state, lga ?? null, ward ?? null]

/** They take the units below a unit like this: the unit, and the level of these. */
export const argsBelow = (above: UnitPath): [frames: string[], level: UnitLevel] => [
  setOf({ unit: above }),
  UNIT_LEVELS[above.length] ?? 'ward',
]

export const unitLink = (data: MapData, unit: UnitPath): Html =>
  html`<a href="${mapLink(data, { pick: { unit } })}">${placeName(unit.at(-1) ?? '')}</a>`

/** Links to the units above a unit, the highest first. */
export const unitsAbove = (data: MapData, unit: UnitPath): Html[] =>
  unit.slice(1).map((_name, i) => unitLink(data, unit.slice(0, i + 1)))

/** Such as "Ward · Lakeside · Marembe · 120 frames". */
export const unitLine = (unit: UnitPath, frames: number): string =>
  [levelTitle(unit), ...unit.slice(0, -1).toReversed().map(placeName), countText(frames, 'frame')].join(' · ')

export const levelTitle = (unit: UnitPath): string => UNIT_TITLES[UNIT_LEVELS[unit.length - 1] ?? 'ward']

export const noFrameText = (ids: readonly string[]): string =>
  `The index has no ${ids.length === 1 ? 'frame' : 'frames'} ${ids.join(', ')}.`

export const frameLink = (data: MapData, id: string): Html =>
  html`<a href="${mapLink(data, { pick: { frames: [id] } })}">${id}</a>`

export { countText as count, priceText, valueText } from '../shell/amounts.js'

/** Says on how many frames there are features: a frame without any lacks no record. */
export const spreadText = (frames: number): string => `on ${countText(frames, 'frame')}`

/** Writes the share that was recorded, such as "98 %". It says 100 % only of the whole. */
export function coverageText(recorded: number, frames: number): string {
  if (frames === 0) return 'none'
  const percent = (100 * recorded) / frames
  if (recorded === frames) return '100 %'
  return percent > 99 ? '> 99 %' : percent < 1 && recorded > 0 ? '< 1 %' : `${Math.round(percent)} %`
}

const degrees = (value: number): string => String(Math.round(value * 1e6) / 1e6)

/** Writes corners as the API writes a box: the longitude comes first. */
export const cornersInWords = (corners: Corners): string => corners.map(degrees).join(', ')

/** Rounds to four digits: the land of a unit is known no better. */
export const perKm2 = (number: string, km2: number): string => String(Number((Number(number) / km2).toPrecision(4)))

const YEAR = /\b(?:19|20)\d\d\b/

/** Says how values came about, such as "modelled estimate, 2026". A label that names a year tells of that year. */
export const provenance = (method: string | null, vintage: string | null, label = ''): string =>
  [method, YEAR.test(label) && !label.includes(vintage ?? '') ? null : vintage]
    .filter((part) => part !== null)
    .join(', ')

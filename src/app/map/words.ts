/** Writes units, places and figures for the panels of the map. */
import type { Unit } from '../../api/http/params.js'
import type { UnitNames } from './rows.js'
import { countText } from '../shell/amounts.js'
import { html, type Html } from '../shell/html.js'
import { mapLink, type MapData } from './data.js'

export const unitOfNames = ({ state, lga, ward }: UnitNames): Unit => {
  if (lga === null) return { level: 'state', state }
  return ward === null ? { level: 'lga', state, lga } : { level: 'ward', state, lga, ward }
}

export const unitArgs = (unit: Unit): [state: string, lga: string | null, ward: string | null] => [
  unit.state,
  unit.level === 'state' ? null : unit.lga,
  unit.level === 'ward' ? unit.ward : null,
]

export const unitName = ({ state, lga, ward }: UnitNames): string => ward ?? lga ?? state

export const unitLink = (data: MapData, names: UnitNames, text = unitName(names)): Html =>
  html`<a href="${mapLink(data, { pick: { kind: 'unit', unit: unitOfNames(names) } })}">${text}</a>`

/** Links to the units above a unit, the highest first. */
export const unitsAbove = (data: MapData, { state, lga, ward }: UnitNames): Html[] => [
  ...(lga === null ? [] : [unitLink(data, { state, lga: null, ward: null })]),
  ...(lga === null || ward === null ? [] : [unitLink(data, { state, lga, ward: null })]),
]

/** Such as "Ward · KILO · LAKESIDE · 120 frames". */
export const unitLine = (unit: UnitNames & { frames: number }): string => {
  const { state, lga, ward, frames } = unit
  const above = [ward === null ? null : lga, lga === null ? null : state].filter((name) => name !== null)
  return [levelName(unitOfNames(unit)), ...above, countText(frames, 'frame')].join(' · ')
}

const LEVEL_TITLES = { state: 'State', lga: 'LGA', ward: 'Ward' }

export const levelName = ({ level }: Unit): string => LEVEL_TITLES[level]

export const noFrameText = (ids: readonly string[]): string =>
  `The index has no ${ids.length === 1 ? 'frame' : 'frames'} ${ids.join(', ')}.`

export const frameLink = (data: MapData, id: string): Html =>
  html`<a href="${mapLink(data, { pick: { kind: 'frames', ids: [id] } })}">${id}</a>`

export { countText as count, intervalText, priceText, valueText } from '../shell/amounts.js'

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
export const cornersInWords = (minLon: number, minLat: number, maxLon: number, maxLat: number): string =>
  [minLon, minLat, maxLon, maxLat].map(degrees).join(', ')

/** Rounds to four digits: the land of a unit is known no better. */
export const perKm2 = (number: string, km2: number): string => String(Number((Number(number) / km2).toPrecision(4)))

/** Says how a dataset came about, such as "modelled estimate, 2026". */
export const provenance = (method: string | null, vintage: string | null): string =>
  [method, vintage].filter((part) => part !== null).join(', ')

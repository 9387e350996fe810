/** Explains why an export found no frame: the index does not have the unit, or the box or the shape is off the grid. */
import type { Database } from '../../core/db/connect.js'
import { lgasOfState, states, wardsOfLga } from '../../core/db/statements.js'
import { didYouMean } from '../../core/nearest.js'
import type { FrameSelection } from './frames.js'

/** A person would take a file without frames for an answer. */
export async function nothingFound(db: Database, selection: FrameSelection, file: string): Promise<Error> {
  return new Error(`${await reasonFor(db, selection)} ${file} is not written.`)
}

async function reasonFor(db: Database, selection: FrameSelection): Promise<string> {
  if (selection.level === 'area') {
    const { area } = selection
    if ('shape' in area) return 'No frame touches the shape.'
    return `No frame touches the box ${area.box.join(',')} (minLon,minLat,maxLon,maxLat, degrees).`
  }
  const { level, state } = selection
  const stateNames = (await states(db)).map((unit) => unit.state)
  if (!includesName(stateNames, state)) return `There is no state "${state}".${suggestionFor(state, stateNames)}`
  if (level === 'state') return `There is no frame in ${state}.`
  const { lga } = selection
  const lgaNames = (await lgasOfState(db, state)).map((unit) => unit.lga)
  if (!includesName(lgaNames, lga)) return `There is no LGA "${lga}" in ${state}.${suggestionFor(lga, lgaNames)}`
  if (level === 'lga') return `There is no frame in ${lga}, ${state}.`
  const { ward } = selection
  const wardNames = (await wardsOfLga(db, state, lga)).map((unit) => unit.ward)
  if (includesName(wardNames, ward)) return `There is no frame in ${ward}, ${lga}, ${state}.`
  return `There is no ward "${ward}" in ${lga}, ${state}.${suggestionFor(ward, wardNames)}`
}

/** The statements compare names the same way: case and blanks make no difference. */
const foldName = (name: string) => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase()
const includesName = (names: readonly string[], name: string) => names.some((each) => foldName(each) === foldName(name))

/** Suggests the nearest name, else all: a unit has few. */
function suggestionFor(name: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  return didYouMean(foldName(name), names) || ` There are ${names.join(', ')}.`
}

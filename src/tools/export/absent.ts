/** Explains why an export found no frame: the index does not have the unit, or the box is off the grid. */
import { didYouMean } from '../../core/nearest.js'
import type { Api } from './api.js'
import type { FrameSelection } from './pages.js'

type UnitNames = { state: string; lga?: string; ward?: string }

/** A person would take a file without frames for an answer. The suggestions come from the lists of the API. */
export async function nothingFound(api: Api, selection: FrameSelection, file: string): Promise<Error> {
  const { state, lga, ward, bbox } = selection
  const unwritten = `${file} is not written.`
  if (bbox !== undefined) {
    return new Error(`No frame touches the box ${bbox} (minLon,minLat,maxLon,maxLat, degrees). ${unwritten}`)
  }
  const states = await unitNames(api, '/v1/states', ({ state: name }) => name)
  if (!includesName(states, state))
    return new Error(`There is no state "${state}".${suggestionFor(state, states)} ${unwritten}`)
  if (lga !== undefined) {
    const lgas = await unitNames(api, `/v1/lgas?${query({ state })}`, (unit) => unit.lga)
    if (!includesName(lgas, lga))
      return new Error(`There is no LGA "${lga}" in ${state}.${suggestionFor(lga, lgas)} ${unwritten}`)
    const wards =
      ward === undefined ? [] : await unitNames(api, `/v1/wards?${query({ state, lga })}`, (unit) => unit.ward)
    if (ward !== undefined && !includesName(wards, ward)) {
      return new Error(`There is no ward "${ward}" in ${lga}, ${state}.${suggestionFor(ward, wards)} ${unwritten}`)
    }
  }
  return new Error(`There is no frame in ${[ward, lga, state].filter(Boolean).join(', ')}. ${unwritten}`)
}

const query = (words: Record<string, string>) => new URLSearchParams(words).toString()

async function unitNames(api: Api, path: string, nameIn: (unit: UnitNames) => string | undefined): Promise<string[]> {
  const answer = await api<UnitNames[]>(path)
  return answer.unchanged ? [] : answer.data.flatMap((unit) => nameIn(unit) ?? [])
}

/** The API compares names the same way: case and blanks make no difference. */
const foldName = (name: string) => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase()
const includesName = (names: readonly string[], name: string) => names.some((each) => foldName(each) === foldName(name))

/** Suggests the nearest name, else all: a unit has few. */
function suggestionFor(name: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  return didYouMean(foldName(name), names) || ` There are ${names.join(', ')}.`
}

/** Why an export found no frame: a unit that the index does not have, or a box off the grid. */
import { didYouMean } from '../nearest.js'
import type { Api } from './api.js'
import type { Wanted } from './pages.js'

type Listed = { state: string; lga?: string; ward?: string }

/** A file without frames would pass for an answer. The names near a misspelt one come from the API's own lists. */
export async function nothingFound(api: Api, wanted: Wanted, file: string): Promise<Error> {
  const { state, lga, ward, bbox } = wanted
  const unwritten = `${file} is not written.`
  if (bbox !== undefined) {
    return new Error(`No frame touches the box ${bbox} (minLon,minLat,maxLon,maxLat, degrees). ${unwritten}`)
  }
  const states = await namesOf(api, '/v1/states', ({ state: name }) => name)
  if (!has(states, state)) return new Error(`There is no state "${state}".${near(state, states)} ${unwritten}`)
  if (lga !== undefined) {
    const lgas = await namesOf(api, `/v1/lgas?${query({ state })}`, (listed) => listed.lga)
    if (!has(lgas, lga)) return new Error(`There is no LGA "${lga}" in ${state}.${near(lga, lgas)} ${unwritten}`)
    const wards =
      ward === undefined ? [] : await namesOf(api, `/v1/wards?${query({ state, lga })}`, (listed) => listed.ward)
    if (ward !== undefined && !has(wards, ward)) {
      return new Error(`There is no ward "${ward}" in ${lga}, ${state}.${near(ward, wards)} ${unwritten}`)
    }
  }
  return new Error(`There is no frame in ${[ward, lga, state].filter(Boolean).join(', ')}. ${unwritten}`)
}

const query = (words: Record<string, string>) => new URLSearchParams(words).toString()

async function namesOf(api: Api, path: string, nameIn: (listed: Listed) => string | undefined): Promise<string[]> {
  const answered = await api<Listed[]>(path)
  return answered.unchanged ? [] : answered.data.flatMap((listed) => nameIn(listed) ?? [])
}

/** As the API compares names: without regard to case and to blanks. */
const folded = (name: string) => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase()
const has = (names: readonly string[], wanted: string) => names.some((name) => folded(name) === folded(wanted))

/** The name that was probably meant; else all of them, which are few within a unit. */
function near(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  return didYouMean(folded(wanted), names) || ` There are ${names.join(', ')}.`
}

/** Makes the land of a national index. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { projectFolder } from '../../src/core/db/statement.js'
import { randomNumbers } from '../support/random-numbers.js'

export type Country = { name: string; outline: string; wards: string; isReal: boolean }

const inProject = (name: string) => fileURLToPath(new URL(name, projectFolder))
const NEXT_DOOR = inProject('../shared/data/nigeria-wards.json')

export const fixtureCountry = (): Country => ({
  name: 'the fixture',
  outline: inProject('fixtures/outline.geojson'),
  wards: inProject('fixtures/wards.json'),
  isReal: false,
})

/** Reads Nigeria's outline and its wards. Without a ward file it invents as many wards. */
export function nationalCountry(named: string | undefined, folder: string): Country {
  if (named !== undefined && !existsSync(named)) throw new Error(`--wards: there is no file ${named}.`)
  const outline = join(folder, 'outline.geojson')
  writeFileSync(outline, JSON.stringify(nigeria()))
  const wards = named ?? (existsSync(NEXT_DOOR) ? NEXT_DOOR : undefined)
  if (wards !== undefined) return { name: `Nigeria, wards of ${wards}`, outline, wards, isReal: true }
  const invented = join(folder, 'wards.json')
  writeFileSync(invented, JSON.stringify(inventedWards()))
  return { name: 'Nigeria, invented wards (no ward file: --wards names one)', outline, wards: invented, isReal: false }
}

function nigeria() {
  const atlas = createRequire(import.meta.url).resolve('world-atlas/countries-10m.json')
  const topology = JSON.parse(readFileSync(atlas, 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>
  }>
  const countries = feature(topology, topology.objects.countries).features
  return countries.find(({ properties }) => properties.name === 'Nigeria')
}

type Place = { lon: number; lat: number }

/** A ward belongs to the nearest seat of an LGA, and an LGA to the nearest seat of a state, so units are whole. */
function inventedWards() {
  const next = randomNumbers(4_170_001)
  const place = (): Place => ({ lon: 2.7 + next() * 12, lat: 4.3 + next() * 9.6 })
  const states = Array.from({ length: 37 }, place)
  const lgas = Array.from({ length: 774 }, place)
  return Array.from({ length: 8809 }, (_, ward) => {
    const at = place()
    const lga = nearest(lgas, at)
    const state = nearest(states, lgas[lga] ?? at)
    return { State: `State ${state}`, LGA: `Area ${lga}`, Ward: `Ward ${ward}`, Latitude: at.lat, Longitude: at.lon }
  })
}

function nearest(places: readonly Place[], { lon, lat }: Place): number {
  const distances = places.map((place) => (place.lon - lon) ** 2 + (place.lat - lat) ** 2)
  return distances.indexOf(Math.min(...distances))
}

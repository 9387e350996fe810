/** Finds the units that a question names. */
import { UNIT_WORD } from '../operations/placing.js'
import type { NamedPlace } from '../reading/reading.js'
import { fold } from '../reading/words.js'
import { nameOf, targetOf, type Read, type UnitTarget } from './scope.js'
import { unitsOfNames, type NamedUnit, type UnitPath } from './statements.js'
import type { DatasetRow } from '../../db/statements.js'

type PlaceScope = { read: Read; datasets: readonly DatasetRow[]; target: UnitTarget }
type Targets = { targets: UnitTarget[] } | { why: string }

const TARGETS_MAX = 6

/** Without a place, the unit of the question is meant. "Central LGA of Marembe" is one place. */
export async function targetsOf(scope: PlaceScope, places: readonly NamedPlace[]): Promise<Targets> {
  const { read, datasets, target } = scope
  if (places.length === 0) return { targets: [target] }
  if (target.box) return { why: 'A box is not divided into its units: pick a unit, or ask about the whole index.' }
  if (places.some(({ isExcluded }) => isExcluded))
    return { why: 'Frames outside a place are added up for few frames only.' }
  const names = places.map(({ text }) => plainName(text))
  const rows = await read(unitsOfNames, names, target.path)
  const found = places.map((place, i) =>
    candidatesOf(
      place,
      rows.filter((row) => row.place === i + 1),
    ),
  )
  const lost = found.findIndex((paths) => paths.length === 0)
  if (lost !== -1) return { why: `The index has no unit ${places[lost]?.text ?? ''}.` }
  const inside = found.map((paths) => paths.filter(({ isOnPath }) => isOnPath).map(({ path }) => path))
  const outside = inside.findIndex((paths) => paths.length === 0)
  if (outside !== -1)
    return { why: `${places[outside]?.text ?? ''} does not lie in ${nameOf(target.path)}. Ask about the whole index.` }
  const paths = chosenPaths(inside, places)
  if (paths.length > TARGETS_MAX) return { why: `At most ${TARGETS_MAX} places are compared.` }
  // A unit above that of the question holds all of its frames.
  const own = paths.filter((path) => path.length > target.path.length)
  if (own.length === 0) return { targets: [target] }
  const targets = await Promise.all(own.map((path) => targetOf(read, datasets, path, longName(path, own))))
  return { targets: targets.flatMap((each) => each ?? []) }
}

/** units_of_names writes the names of the index in the same way. */
const plainName = (text: string): string =>
  fold(text)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

type Candidate = { path: UnitPath; isOnPath: boolean }

const pathOf = ({ state, lga, ward }: NamedUnit): UnitPath => [state, lga, ward].flatMap((name) => name ?? [])

const LEVEL_WORDS = [/$^/, /^states?$/i, /^(lgas?|local governments?.*|government areas?)$/i, /^wards?$/i]

/** A name may be that of a state, of an LGA and of a ward: the largest is meant, or the one whose word stands beside it. */
function candidatesOf({ unit }: NamedPlace, rows: readonly NamedUnit[]): Candidate[] {
  const level =
    unit !== undefined && UNIT_WORD.test(`x ${unit}`) ? LEVEL_WORDS.findIndex((word) => word.test(unit)) : -1
  const candidates = rows.map((row) => ({ path: pathOf(row), isOnPath: row.isOnPath }))
  const wanted = level === -1 ? candidates : candidates.filter(({ path }) => path.length === level)
  const near = wanted.some(({ isOnPath }) => isOnPath) ? wanted.filter(({ isOnPath }) => isOnPath) : wanted
  const largest = Math.min(...near.map(({ path }) => path.length))
  return near.filter(({ path }) => path.length === largest)
}

const isInside = (path: UnitPath, other: UnitPath) => other.every((name, i) => path[i] === name)

/** "Lakeside of Marembe" means the smaller place; listed places are meant one by one. */
function chosenPaths(found: readonly UnitPath[][], places: readonly NamedPlace[]): UnitPath[] {
  const all = found.flat()
  const isList = places.some(({ isListed }) => isListed)
  const kept = isList
    ? all
    : all.filter((path) => !all.some((other) => other.length > path.length && isInside(other, path)))
  const keys = kept.map((path) => path.join('\n'))
  return kept.filter((_, i) => keys.indexOf(keys[i] ?? '') === i)
}

/** The units above them tell two units of one name apart. */
const longName = (path: UnitPath, all: readonly UnitPath[]): string =>
  all.filter((other) => nameOf(other) === nameOf(path)).length > 1 ? path.toReversed().join(', ') : nameOf(path)

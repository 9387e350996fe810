/** Limits figures to the places that the question names. A figure of other frames must not pass for that of the place. */
import { unitsOfNames } from '../db/statements.js'
import type { NamedUnit } from '../db/index.js'
import {
  figureSubject,
  type FrameSet,
  framesPassing,
  type Reads,
  type Subject,
  unitOf,
  unitsOf,
} from '../figures/index.js'
import { UNIT_LEVELS, type UnitLevel, type UnitPath } from '../place.js'
import type { Ask, Condition, NamedPlace } from './reading/reading.js'
import { fold, plainWordsOf } from './reading/words.js'

/** Each alternative is a place of its own, and frames of it pass all of its conditions. */
type Alternatives = readonly (readonly Condition[])[]

/** `absent`: no frame lies there. `partial`: some do. */
export type Placing = {
  absent: string[]
  partial: string[]
  /** The places of `absent`. */
  lost: ReadonlySet<NamedPlace>
  conditions: ReadonlyMap<NamedPlace, Alternatives>
  /** Frames outside of the excluded places pass these. */
  outside: ReadonlyMap<NamedPlace, readonly Condition[]>
}

export async function placingOf(reads: Reads, set: FrameSet, places: readonly NamedPlace[]): Promise<Placing> {
  const path = unitOf(set)
  const isKnown = places.length > 0 && (path !== undefined || places.some(({ isExcluded }) => isExcluded))
  const named = isKnown ? await reads.rows(unitsOfNames, places.map(foldedPlace), [...(path ?? [])]) : []
  const lost = new Set<NamedPlace>()
  const partial = new Set<string>()
  const conditions = new Map<NamedPlace, Alternatives>()
  const outside = new Map<NamedPlace, readonly Condition[]>()
  const isCompared = places.some(({ isListed }) => isListed)
  for (const [i, place] of places.entries()) {
    const rows = named.filter((row) => row.place === i + 1)
    const units = rows.filter(({ isOnPath }) => isOnPath)
    if (place.isExcluded) {
      const own = path ? unitsOfPlace(place, units) : await unitsOfFrames(reads, set, place)
      outside.set(place, outsideOf(place, own.length > 0 ? own : unitsOfPlace(place, rows)))
      continue
    }
    // The frames alone tell which zones they lie in.
    const isZone = units.length === 0 && zonesOf(place).length > 0
    const found = path && !isZone ? placesInUnit(place, path, units) : await placesOfFrames(reads, set, place)
    const { alternatives, isWhole } = found
    if (isWhole && !isCompared) continue
    if (isWhole || alternatives.length > 0) {
      if (!isWhole) partial.add(nameOfPlace(place))
      conditions.set(place, alternatives)
    } else if (place.otherwise) conditions.set(place, [[place.otherwise]])
    else lost.add(place)
  }
  return { absent: [...new Set([...lost].map(nameOfPlace))], partial: [...partial], lost, conditions, outside }
}

const ofClass = (subject: Subject, value: string): Condition => ({ subject, test: { test: 'class', value } })

/** A frame outside of all units of the name has another name at their level. A name of no unit is a class. */
function outsideOf({ categories, otherwise }: NamedPlace, units: readonly UnitPath[]): Condition[] {
  const ofUnits = units.map((unit) => conditionsOf(unit, unit.length - 1))
  const ofClasses = [
    ...categories.map(({ subject, value }) => ofClass(subject, value)),
    ...(otherwise ? [otherwise] : []),
  ]
  return distinct(units.length > 0 ? ofUnits.flat() : ofClasses.slice(0, 1)).flatMap(({ subject, test }) =>
    test.test === 'class' ? [{ subject, test: { test: 'not_class', value: test.value } }] : [],
  )
}

/** The units of the largest level that has frames in a place of this name. */
async function unitsOfFrames(reads: Reads, set: FrameSet, place: NamedPlace): Promise<UnitPath[]> {
  const named = place.unit === undefined ? undefined : figureNamed(place.unit)
  for (const level of UNIT_LEVELS.filter((each) => named === undefined || each === named)) {
    const paths = await unitsOf(reads, set, level)
    const units = paths.filter((path) => isNameOf(path.at(-1) ?? '', place))
    if (units.length > 0) return units
  }
  return []
}

/** A place that all frames lie in, or that no dataset has, needs no condition unless it is compared with another. */
type Found = { alternatives: Alternatives; isWhole: boolean }

async function placesOfFrames(reads: Reads, set: FrameSet, place: NamedPlace): Promise<Found> {
  const levels = await Promise.all(UNIT_LEVELS.map((level) => unitsOf(reads, set, level)))
  const candidates = candidatesOf(place, levels)
  if (candidates.length === 0) return { alternatives: [], isWhole: true }
  const counted = candidates.map((unit) =>
    Promise.all(unit.map(async (conditions) => ({ conditions, count: await countOf(reads, set, conditions) }))),
  )
  const found = (await Promise.all(counted)).map((each) => each.filter(({ count }) => count > 0))
  const whole = found.flat().find(({ count }) => count === set.count)
  if (whole) return { alternatives: [whole.conditions], isWhole: true }
  return {
    alternatives: (found.find((each) => each.length > 0) ?? []).map(({ conditions }) => conditions),
    isWhole: false,
  }
}

async function countOf(reads: Reads, set: FrameSet, conditions: readonly Condition[]): Promise<number> {
  const where = conditions.map(({ subject, test }) => ({ ...figureSubject(subject), ...test }))
  return (await framesPassing(reads, set, where))?.count ?? 0
}

/**
 * All units of the index are known. A name may be that of several: the largest is meant, or the one whose word stands
 * beside it. A unit above that of the question holds all of its frames.
 */
function placesInUnit(place: NamedPlace, path: UnitPath, rows: readonly NamedUnit[]): Found {
  const units = unitsOfPlace(place, rows)
  const inside = units.filter((unit) => unit.length > path.length)
  if (inside.length > 0) return { alternatives: inside.map((unit) => conditionsOf(unit, path.length)), isWhole: false }
  if (units.length > 0) return { alternatives: [[]], isWhole: true }
  return { alternatives: zonesOf(place).map((zone) => [zone]), isWhole: false }
}

/** A zone is no unit of the index. */
const zonesOf = ({ categories }: NamedPlace): Condition[] =>
  categories.flatMap(({ subject, label, value }) =>
    figureNamed(label) || subject.kind !== 'attribute' ? [] : [ofClass(subject, value)],
  )

const conditionsOf = (unit: UnitPath, from: number): Condition[] =>
  UNIT_LEVELS.slice(from, unit.length).map((figure, i) => ofClass({ kind: 'index', figure }, unit[from + i] ?? ''))

/** units_of_names writes the names of the index in the same way. */
const foldedPlace = ({ text }: NamedPlace): string =>
  fold(text)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function unitsOfPlace({ unit }: NamedPlace, rows: readonly NamedUnit[]): UnitPath[] {
  const named = unit === undefined ? undefined : figureNamed(unit)
  const paths = rows.map(({ state, lga, ward }) => [state, lga, ward].flatMap((name) => name ?? []))
  const wanted = named === undefined ? paths : paths.filter((path) => UNIT_LEVELS[path.length - 1] === named)
  const largest = Math.min(...wanted.map((path) => path.length))
  return wanted.filter((path) => path.length === largest)
}

/** "Central LGA": the frames may lie in a ward of the same name. */
const nameOfPlace = ({ text, unit }: NamedPlace) =>
  unit === undefined || figureNamed(unit) === undefined ? text : `${text} ${unit}`

const ASK_OF_FRAMES: Ask = { subject: { kind: 'index', figure: 'frames' }, operation: { op: 'usual' }, where: [] }
const ASKS_MAX = 12

/** Two states are two figures, and so are listed places; a ward of a state is one. */
export function placedAsks(asks: readonly Ask[], { conditions, lost, outside }: Placing, isPlace: boolean): Ask[] {
  const placed = asks.flatMap((ask) => {
    const { places: named = [], ...rest } = ask
    if (named.length === 0) return [ask]
    const places = named.filter(({ isExcluded }) => !isExcluded)
    const excluding = named.flatMap((place) => outside.get(place) ?? [])
    const own: Ask = { ...rest, where: [...rest.where, ...excluding] }
    // A figure of other frames is only near to that of a place where none of them lies.
    if (places.length > 0 && places.every((place) => lost.has(place))) return [{ ...own, isNearest: true as const }]
    const groups = new Map<string, (readonly Condition[])[]>()
    const isList = places.some(({ isListed }) => isListed)
    for (const place of places) {
      for (const alternative of conditions.get(place) ?? []) {
        const last = alternative.at(-1)
        const key = isList ? '' : JSON.stringify(last?.subject)
        groups.set(key, [...(groups.get(key) ?? []), alternative])
      }
    }
    const alternatives = [...groups.values()].reduce<Condition[][]>(
      (lists, group) => lists.flatMap((list) => group.map((more) => [...list, ...more])),
      [[]],
    )
    const possible = alternatives.map(distinct).filter(isPossible)
    return (possible.length > 0 ? possible : alternatives).map((more) => placedAsk(inPlaces(own, more), isPlace))
  })
  return distinct(placed).slice(0, Math.max(ASKS_MAX, asks.length))
}

/** The towns of Marembe are the whole of "what share of towns in Marembe have a clinic". */
function inPlaces(ask: Ask, places: Condition[]): Ask {
  const { operation, where } = ask
  if (operation.op === 'frames' && operation.whole)
    return { ...ask, operation: { ...operation, whole: [...operation.whole, ...places] } }
  return { ...ask, where: [...where, ...places] }
}

const distinct = <T>(all: readonly T[]): T[] => [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]

/** No frame lies in two units of one level. */
const isPossible = (conditions: Condition[]): boolean => {
  const units = conditions.flatMap(({ subject, test }) =>
    subject.kind === 'index' && test.test === 'class' ? [subject.figure] : [],
  )
  return new Set(units).size === units.length
}

/** "Frames in Marembe" asks how many of the frames lie there: all of them, where no condition is left. */
function placedAsk(ask: Ask, isPlace: boolean): Ask {
  const [first] = ask.where
  if (ask.operation.op !== 'frames' || ask.subject.kind !== 'index') return ask
  if (first && !(isPlace && ask.where.every(({ subject }) => subject.kind === 'index')))
    return { ...ask, subject: first.subject }
  return { ...ASK_OF_FRAMES, where: ask.where }
}

const plainOf = (text: string) => plainWordsOf(text).join(' ')
const isNameOf = (name: string, { text, categories }: NamedPlace): boolean =>
  [text, ...categories.map(({ value }) => value)].some((each) => plainOf(each) === plainOf(name))

const UNIT_WORDS = {
  state: /^states?$/i,
  lga: /^(lgas?|local governments?.*|government areas?)$/i,
  ward: /^wards?$/i,
}
const figureNamed = (word: string) => UNIT_LEVELS.find((level) => UNIT_WORDS[level].test(word))

/** A unit beside the name tells the kind; else each kind that has the name. */
function candidatesOf(place: NamedPlace, levels: readonly (readonly UnitPath[])[]): Alternatives[] {
  const { unit, categories } = place
  const named = unit === undefined ? undefined : figureNamed(unit)
  // Units of one name, such as the LGAs "Central" of two states, are several places.
  const level = (figure: UnitLevel): Alternatives => {
    const paths = levels[UNIT_LEVELS.indexOf(figure)] ?? []
    const units = paths.filter((path) => isNameOf(path.at(-1) ?? '', place))
    const isShared = (path: UnitPath) => units.filter((each) => each.at(-1) === path.at(-1)).length > 1
    return units.map((path) => conditionsOf(path, isShared(path) ? 0 : path.length - 1))
  }
  if (named) return [level(named)]
  const zones = zonesOf(place).map((zone) => [[zone]])
  const isOfIndex = categories.length === 0 || categories.some(({ label }) => figureNamed(label))
  return [...(isOfIndex ? UNIT_LEVELS.map(level) : []), ...zones]
}

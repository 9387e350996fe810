/** Reads the frames of a place, and finds which name of a unit the index lacks. */
import { type Database, type Page, pageOf } from './db/index.js'
import * as statements from './db/statements.js'
import { LAT_MAX, LON_MAX } from './parameters.js'
import { type Area, foldName, setOf, UNIT_LEVELS, type UnitLevel, type UnitPath } from './place.js'

type Rows = Pick<Database, 'rows'>

/** Reads a page in the order of ids: the first, or the one after a frame. */
export async function pageInPlace(db: Rows, place: Area, limit: number, after?: string): Promise<Page> {
  // Frame ids start at 0: the first page follows this one.
  const last = after ?? '-1'
  if (!('unit' in place))
    return 'box' in place && after === undefined
      ? await pageOf(statements.framesInBox, db, ...place.box, limit)
      : await pageOf(statements.framesInAreaPage, db, setOf(place), last, limit)
  // One statement for each level: an optional parameter would take a hundred times as long.
  const [state, lga, ward] = place.unit
  if (state === undefined) return await pageInPlace(db, { box: [-LON_MAX, -LAT_MAX, LON_MAX, LAT_MAX] }, limit, after)
  if (lga === undefined) return await pageOf(statements.framesInState, db, state, last, limit)
  if (ward === undefined) return await pageOf(statements.framesInLga, db, state, lga, last, limit)
  return await pageOf(statements.framesInWard, db, state, lga, ward, last, limit)
}

/** `known`: the names that the unit above has. */
type MissingUnit = { level: UnitLevel; name: string; above: UnitPath; known: string[] }

export async function missingUnit(db: Rows, unit: UnitPath): Promise<MissingUnit | undefined> {
  for (const [i, level] of UNIT_LEVELS.slice(0, unit.length).entries()) {
    const [name = '', above] = [unit[i], unit.slice(0, i)]
    const known = await namesIn(db, above)
    if (!known.some((each) => foldName(each) === foldName(name))) return { level, name, above, known }
  }
  return undefined
}

async function namesIn(db: Rows, [state, lga]: UnitPath): Promise<string[]> {
  if (state === undefined) return (await statements.states(db)).map((unit) => unit.state)
  if (lga === undefined) return (await statements.lgasOfState(db, state)).map((unit) => unit.lga)
  return (await statements.wardsOfLga(db, state, lga)).map((unit) => unit.ward)
}

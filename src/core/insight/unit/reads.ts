/** Reads figures of a unit, or of a box, whose totals were added up before and are compared as numbers. */
import type { Read, UnitFact, UnitTarget } from './scope.js'
import {
  areaOfUnit,
  classesOfUnit,
  numbersCompared,
  spreadOfBox,
  spreadOfParts,
  totalsCompared,
  type BoxSpread,
  type ClassCount,
  type Compared,
  type SpreadMeasure,
} from './statements.js'

type SpreadSubject = { layerId: string; subject: string | null; measure: SpreadMeasure }

export async function spreadOf(
  read: Read,
  { path, box }: UnitTarget,
  { layerId, subject, measure }: SpreadSubject,
): Promise<BoxSpread | undefined> {
  const [row] = box
    ? await read(spreadOfBox, ...box.corners, layerId, subject, measure)
    : await read(spreadOfParts, path, '', layerId, subject, measure)
  return row
}

/** Undefined: the box has more classes than are kept for blocks. */
export async function classesOf(
  read: Read,
  { path, box, frames }: UnitTarget,
  { dataset, attribute, classes, recorded }: UnitFact,
): Promise<ClassCount[] | undefined> {
  if (!box) return await read(classesOfUnit, path, dataset.layerId, attribute)
  return classes?.map((each) => ({ class: each.class, classFrames: each.frames, recorded, frames }))
}

type Land = { km2: string | null; density: string | null }

/** The land of a place. Without a fact there is no density. */
export async function landOf(read: Read, { path, box }: UnitTarget, fact?: UnitFact): Promise<Land | undefined> {
  if (!box) {
    const [row] = await read(areaOfUnit, path, fact?.dataset.layerId ?? '', fact?.attribute ?? '')
    return row
  }
  const { km2, exactKm2 } = box
  if (!fact || fact.number === null) return { km2, density: null }
  const [row] = await read(numbersCompared, fact.number, exactKm2, '1')
  return { km2, density: row?.ratio ?? null }
}

type ComparedTotals = Omit<Compared, 'percent'>

/** Two totals of one place: `times` of the ratio stand for a thousand of the other. */
export async function comparedOf(
  read: Read,
  { path, box, frames }: UnitTarget,
  [fact, other]: readonly [UnitFact, UnitFact],
  times: string,
): Promise<ComparedTotals | undefined> {
  if (!box) {
    const args = [path, fact.dataset.layerId, fact.attribute, path, other.dataset.layerId, other.attribute] as const
    const [row] = await read(totalsCompared, ...args, times)
    return row
  }
  if (fact.number === null || other.number === null) return undefined
  const [row] = await read(numbersCompared, fact.number, other.number, times)
  const { recorded } = fact
  return (
    row && {
      ...row,
      number: fact.number,
      otherNumber: other.number,
      recorded,
      frames,
      otherRecorded: other.recorded,
      otherFrames: frames,
    }
  )
}

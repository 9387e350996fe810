/** Selects the frames that pass conditions. */
import { defined } from '../../defined.js'
import { framesOfClass, framesRanked, framesWithin, framesWithProperty } from '../../db/statements.js'
import { isReadable, setOfIds, UNIT_LEVELS, unitOf, type FrameSet } from '../figures/frame-set.js'
import type { Test } from '../reading/reading.js'
import { setInPlace, type Reads } from '../figures/reads.js'
import { describe, INDEX, type Description } from '../figures/subject.js'
import type { NamedTest, SourceCondition } from '../figures/typed.js'

export type Selection = {
  /** Ids keep the order of the call. */
  set: FrameSet
  /** This many frames record a value for every condition. */
  recorded: number
}

/** Returns undefined where no dataset of the call has the subject of a condition, or where the frames are too many. */
export async function framesPassing(
  reads: Reads,
  frames: FrameSet,
  where: readonly SourceCondition[],
): Promise<Selection | undefined> {
  const { set, rest } = await insideUnit(reads, frames, where)
  // Frames outside the unit pass no condition, whatever they record.
  const outside = frames.count - set.count
  if (rest.length === 0) return { set, recorded: frames.count }
  if (!isReadable(set)) return undefined
  const selections = await Promise.all(rest.map((condition) => passing(reads, set, condition)))
  let ids: string[] | undefined
  let recorded = set.count
  for (const selection of selections) {
    if (!selection) return undefined
    const kept = new Set(selection.ids)
    ids = (ids ?? selection.ids).filter((id) => kept.has(id))
    recorded = Math.min(recorded, selection.recorded)
  }
  return { set: { ...setOfIds(ids ?? []), isSelection: true }, recorded: recorded + outside }
}

export const isOfPlace = ({ layerId, test }: SourceCondition) =>
  layerId === INDEX.layerId && /^(not_)?class$/.test(test)

/** "The share of people in Marembe within 5 km of a clinic" is one of the people in Marembe. */
export async function wholeOf(reads: Reads, set: FrameSet, where: readonly SourceCondition[]): Promise<FrameSet> {
  const places = where.filter(isOfPlace)
  return (places.length < where.length && (await framesPassing(reads, set, places))?.set) || set
}

/** Conditions that name a unit of a unit narrow the set to it: its totals are kept. The others are tested frame by frame. */
async function insideUnit(reads: Reads, set: FrameSet, where: readonly SourceCondition[]) {
  const above = unitOf(set)
  if (!above) return { set, rest: where }
  const path = [...above]
  const used = new Set<SourceCondition>()
  for (const level of UNIT_LEVELS.slice(above.length)) {
    const named = where.find(
      (condition) => condition.layerId === INDEX.layerId && condition.attribute === level && condition.test === 'class',
    )
    if (named?.test !== 'class') break
    used.add(named)
    path.push(named.value)
  }
  if (used.size === 0) return { set, rest: where }
  const rest = where.filter((condition) => !used.has(condition))
  return { set: await setInPlace(reads, { unit: path }), rest }
}

type PassingIds = { ids: string[]; recorded: number }

async function passing(reads: Reads, set: FrameSet, condition: SourceCondition): Promise<PassingIds | undefined> {
  const subject = await describe(reads, condition)
  // The years of several features on a frame have no sum that a bound could test.
  if (!subject || (subject.named.isYear && subject.named.type === 'property' && condition.test === 'bounds'))
    return undefined
  if (hasNumbers(subject) && condition.test !== 'class' && condition.test !== 'not_class') {
    const [row] = await reads.rows(framesWithin, set.frames, ...subject.args, ...testBounds(condition))
    return row
  }
  const value = condition.test === 'class' || condition.test === 'not_class' ? condition.value : ''
  const statement = subject.named.type === 'property' ? framesWithProperty : framesOfClass
  const [row = { recorded: 0, ids: [], others: [] }] = await reads.rows(statement, set.frames, ...subject.args, value)
  if (condition.test === 'class') return row
  if (condition.test === 'not_class' || condition.test === 'any') return { ids: row.others, recorded: row.recorded }
  if (condition.test !== 'none') return undefined
  // A category has no zero: a frame that records nothing has none of it.
  const recording = new Set(row.others)
  const all = await idsOfSet(reads, set)
  return { ids: all.filter((id) => !recording.has(id)), recorded: all.length }
}

/** The ids of a place come in their order. */
export async function idsOfSet(reads: Reads, { frames, place }: FrameSet): Promise<string[]> {
  if (!place) return frames
  const rows = await reads.rows(framesRanked, frames, INDEX.layerId, 'frame_id')
  return rows.map(({ frameId }) => frameId)
}

const hasNumbers = ({ named: { type } }: Description) => type === 'number' || type === 'features' || type === 'property'

/** A frame that records 0 has none; a frame that records nothing is neither. */
export function testBounds(test: Test): [above: string, atLeast: string, below: string, atMost: string] {
  const [none, all] = ['-Infinity', 'Infinity']
  if (test.test === 'none') return [none, '0', all, '0']
  if (test.test === 'any') return ['0', none, all, all]
  if (test.test !== 'bounds') return [none, none, all, all]
  return [test.above ?? none, test.atLeast ?? none, test.below ?? all, test.atMost ?? all]
}

/** The conditions as sentences name them. */
export async function namedTests(reads: Reads, where: readonly SourceCondition[]): Promise<NamedTest[]> {
  const tests = await Promise.all(
    where.map(async ({ layerId, attribute, property, ...test }) => {
      const subject = await describe(reads, { layerId, attribute, ...defined({ property }) })
      return subject ? [{ named: subject.named, test }] : []
    }),
  )
  return tests.flat()
}

/** Selects the frames that pass conditions, and says the conditions in words. */
import { framesOfClass, framesRanked, framesWithin, framesWithProperty } from '../../db/statements.js'
import { INDEX, type SourceCondition } from '../figures/facets.js'
import { countText, frameCountText, withUnit } from '../figures/figure-text.js'
import { isReadable, setOfIds, UNIT_LEVELS, unitOf, type FrameSet } from '../figures/frame-set.js'
import type { Test } from '../reading/reading.js'
import { setInPlace, type Reads } from '../figures/reads.js'
import type { Named, NamedTest } from '../figures/typed.js'
import { describe, namedOf, type Description } from './subject.js'

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
  return { set: setOfIds(ids ?? []), recorded: recorded + outside }
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

type Passing = { ids: string[]; recorded: number }

async function passing(reads: Reads, set: FrameSet, condition: SourceCondition): Promise<Passing | undefined> {
  const subject = await describe(reads, condition)
  // The years of several features on a frame have no sum that a bound could test.
  if (!subject || (subject.isYear && subject.type === 'property' && condition.test === 'bounds')) return undefined
  if (isCounted(subject) && condition.test !== 'class' && condition.test !== 'not_class') {
    const [row] = await reads.rows(framesWithin, set.frames, ...subject.args, ...boundsOf(condition))
    return row
  }
  const value = condition.test === 'class' || condition.test === 'not_class' ? condition.value : ''
  const statement = subject.type === 'property' ? framesWithProperty : framesOfClass
  const [row = { recorded: 0, ids: [], others: [] }] = await reads.rows(statement, set.frames, ...subject.args, value)
  if (condition.test === 'class') return row
  if (condition.test === 'not_class' || condition.test === 'any') return { ids: row.others, recorded: row.recorded }
  if (condition.test !== 'none') return undefined
  // A category has no zero: a frame that records nothing has none of it.
  const recording = new Set(row.others)
  const all = await idsOf(reads, set)
  return { ids: all.filter((id) => !recording.has(id)), recorded: all.length }
}

/** The ids of a place come in their order. */
export async function idsOf(reads: Reads, { frames, place }: FrameSet): Promise<string[]> {
  if (!place) return frames
  const rows = await reads.rows(framesRanked, frames, INDEX.layerId, 'frame_id')
  return rows.map(({ frameId }) => frameId)
}

const isCounted = ({ type }: Pick<Description, 'type'>) =>
  type === 'number' || type === 'features' || type === 'property'

/** A frame that records 0 has none; a frame that records nothing is neither. */
export function boundsOf(test: Test): [above: string, atLeast: string, below: string, atMost: string] {
  const [none, all] = ['-Infinity', 'Infinity']
  if (test.test === 'none') return [none, '0', all, '0']
  if (test.test === 'any') return ['0', none, all, all]
  if (test.test !== 'bounds') return [none, none, all, all]
  return [test.above ?? none, test.atLeast ?? none, test.below ?? all, test.atMost ?? all]
}

/** Words the condition behind a name for those that pass: "that have none", "above 5,000 people". */
export function passingWords(test: Test, subject: Pick<Description, 'type' | 'unit'>): string {
  switch (test.test) {
    case 'none':
      return isCounted(subject) ? 'that have none' : 'that record none'
    case 'any':
      return isCounted(subject) ? 'that have any' : 'that record any'
    case 'class':
      return `that are ${test.value}`
    case 'not_class':
      return `that are not ${test.value}`
    case 'bounds':
      return boundsText(test, subject.unit, 'of ')
  }
}

/** Words the conditions as the scope of a figure: "frames with Main roads and without Clinics". */
export async function scopeOfConditions(reads: Reads, where: readonly SourceCondition[]): Promise<string> {
  const scopes = await Promise.all(
    where.map(async (condition) => {
      const subject = await describe(reads, condition)
      return subject ? scopeText(condition, namedOf(subject)) : ''
    }),
  )
  return `frames ${scopes.join(' and ')}`
}

/** The conditions as sentences name them. */
export async function namedTests(reads: Reads, where: readonly SourceCondition[]): Promise<NamedTest[]> {
  const tests = await Promise.all(
    where.map(async (condition) => {
      const subject = await describe(reads, condition)
      return subject ? [{ named: namedOf(subject), test: testOf(condition) }] : []
    }),
  )
  return tests.flat()
}

function testOf(condition: SourceCondition): Test {
  const { layerId: _layer, attribute: _attribute, property: _property, ...test } = condition
  return test
}

/** A property is named with its features, as its label is: "Schools, pupils". */
export function scopeText(test: Test, named: Named): string {
  const { type, unit, features } = named
  const label = features === undefined ? named.label : `${features}, ${named.label}`
  switch (test.test) {
    case 'none':
      return type === 'number' ? `where ${label} is ${withUnit('0', unit)}` : `without ${label}`
    case 'any':
      return type === 'number' ? `where ${label} is above ${withUnit('0', unit)}` : `with ${label}`
    case 'class':
      return `where ${label} is ${test.value}`
    case 'not_class':
      return `where ${label} is not ${test.value}`
    case 'bounds':
      return `where ${label} is ${boundsText(test, unit, '')}`
  }
}

function boundsText(bounds: Extract<Test, { test: 'bounds' }>, unit: string | null, of: string): string {
  const text = (bound: string) => withUnit(bound, unit)
  const { above, atLeast, below, atMost } = bounds
  if (atLeast !== undefined && atLeast === atMost) return `${of}${text(atLeast)}`
  const parts: [words: string, bound: string | undefined][] = [
    ['above', above],
    [`${of}at least`, atLeast],
    ['below', below],
    [`${of}at most`, atMost],
  ]
  return parts.flatMap(([words, bound]) => (bound === undefined ? [] : [`${words} ${text(bound)}`])).join(' and ')
}

export const NAMED_FRAMES = 10

/** Names up to ten frames: "2 of 9 frames: 322074005, 322074006". Frames need no names where all of them pass. */
export function selectionText({ ids, recorded }: Passing, asked: number): string {
  const count = frameCountText(ids.length, asked)
  const others = ids.length > NAMED_FRAMES ? ` and ${countText(ids.length - NAMED_FRAMES)} more` : ''
  const named = ids.length === 0 || ids.length === asked ? '' : `: ${ids.slice(0, NAMED_FRAMES).join(', ')}${others}`
  const silent = asked - recorded
  return silent === 0
    ? count + named
    : `${count}${named}; ${countText(silent)} ${silent === 1 ? 'records' : 'record'} nothing`
}

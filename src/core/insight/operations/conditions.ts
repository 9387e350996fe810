/** Selects the frames that pass conditions, and says the conditions in words. */
import { framesOfClass, framesWithin, framesWithProperty } from '../../db/statements.js'
import type { SourceCondition } from '../figures/facets.js'
import { frameCountText, withUnit } from '../figures/figure-text.js'
import type { Test } from '../reading/reading.js'
import type { Reads } from './reads.js'
import type { Named, NamedTest } from '../figures/typed.js'
import { describe, namedOf, type Description } from './subject.js'

export type Selection = {
  /** The ids keep the order of the call. */
  ids: string[]
  /** This many frames record a value for every condition. */
  recorded: number
}

/** Returns undefined where no dataset of the call has the subject of a condition. */
export async function framesPassing(
  reads: Reads,
  frameIds: readonly string[],
  where: readonly SourceCondition[],
): Promise<Selection | undefined> {
  const selections = await Promise.all(where.map((condition) => passing(reads, [...frameIds], condition)))
  let ids = [...frameIds]
  let recorded = frameIds.length
  for (const selection of selections) {
    if (!selection) return undefined
    const kept = new Set(selection.ids)
    ids = ids.filter((id) => kept.has(id))
    recorded = Math.min(recorded, selection.recorded)
  }
  return { ids, recorded }
}

async function passing(reads: Reads, ids: string[], condition: SourceCondition): Promise<Selection | undefined> {
  const subject = await describe(reads, condition)
  // The years of several features on a frame have no sum that a bound could test.
  if (!subject || (subject.isYear && subject.type === 'property' && condition.test === 'bounds')) return undefined
  if (isCounted(subject) && condition.test !== 'class' && condition.test !== 'not_class') {
    const [row] = await reads.rows(framesWithin, ids, ...subject.args, ...boundsOf(condition))
    return row
  }
  const value = condition.test === 'class' || condition.test === 'not_class' ? condition.value : ''
  const statement = subject.type === 'property' ? framesWithProperty : framesOfClass
  const [row = { recorded: 0, ids: [], others: [] }] = await reads.rows(statement, ids, ...subject.args, value)
  if (condition.test === 'class') return row
  if (condition.test === 'not_class' || condition.test === 'any') return { ids: row.others, recorded: row.recorded }
  if (condition.test !== 'none') return undefined
  // A category has no zero: a frame that records nothing has none of it.
  const recording = new Set(row.others)
  return { ids: ids.filter((id) => !recording.has(id)), recorded: ids.length }
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
export function selectionText({ ids, recorded }: Selection, asked: number): string {
  const count = frameCountText(ids.length, asked)
  const others = ids.length > NAMED_FRAMES ? ` and ${ids.length - NAMED_FRAMES} more` : ''
  const named = ids.length === 0 || ids.length === asked ? '' : `: ${ids.slice(0, NAMED_FRAMES).join(', ')}${others}`
  const silent = asked - recorded
  return silent === 0 ? count + named : `${count}${named}; ${silent} ${silent === 1 ? 'records' : 'record'} nothing`
}

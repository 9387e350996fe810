/** Selects the frames that pass conditions: a filter of the algebra of figures says which they are. */
import { defined } from '../defined.js'
import type { Bounds, Filter } from './algebra.js'
import { isUnitLevel, UNIT_LEVELS } from '../place.js'
import { type FrameSet, setOfPlace, unitOf } from './frame-set.js'
import type { Reads } from './reads.js'
import { describe, type Description, INDEX } from './subject.js'
import type { NamedTest, SourceCondition, Test } from './typed.js'
import { both, countOf, countOfFrames, framesOf } from './measures.js'

/** Returns undefined where no dataset of the call has the subject of a condition. */
export async function framesPassing(
  reads: Reads,
  set: FrameSet,
  where: readonly SourceCondition[],
): Promise<FrameSet | undefined> {
  if (where.length === 0) return set
  const { place, rest } = insideUnit(set, where)
  const filters = await Promise.all(rest.map((condition) => filterOf(reads, condition)))
  if (filters.includes(undefined)) return undefined
  const filter = both(set.where, ...filters)
  const passing: FrameSet = filter ? { frames: place.frames, count: 0, where: filter } : place
  // The frames of a unit are counted already; of others, the figure of those that pass names the first.
  const count = filter ? (await framesOf(reads, passing)).count : await countOf(reads, countOfFrames(passing))
  return { ...passing, count }
}

export const isOfPlace = ({ layerId, test }: SourceCondition) =>
  layerId === INDEX.layerId && /^(not_)?class$/.test(test)

/** "The share of people in Marembe within 5 km of a clinic" is one of the people in Marembe. */
export async function wholeOf(reads: Reads, set: FrameSet, where: readonly SourceCondition[]): Promise<FrameSet> {
  const places = where.filter(isOfPlace)
  return (places.length < where.length && (await framesPassing(reads, set, places))) || set
}

/** Conditions that name a unit of a unit narrow the set to it: its totals are kept. */
function insideUnit(set: FrameSet, where: readonly SourceCondition[]) {
  const above = set.where ? undefined : unitOf(set)
  if (!above) return { place: set, rest: where }
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
  const place = used.size === 0 ? set : setOfPlace({ unit: path }, 0)
  return { place, rest: where.filter((condition) => !used.has(condition)) }
}

async function filterOf(reads: Reads, condition: SourceCondition): Promise<Filter | undefined> {
  const subject = await describe(reads, condition)
  return subject && filterOfTest(subject, condition)
}

function filterOfTest({ named, source, summary }: Description, test: Test): Filter | undefined {
  const { layerId, attribute, property } = source
  if (property !== undefined) return filterOfProperty({ layerId, property, summary, isYear: named.isYear }, test)
  if (named.type === 'features') return { of: layerId, ...boundsOf(test) }
  const isClass = test.test === 'class' || test.test === 'not_class'
  if (isUnitLevel(attribute) && layerId === INDEX.layerId && isClass)
    return negatedIf(test.test === 'not_class', { units: attribute, named: [test.value] })
  if (named.type === 'unit' || (isClass && named.type !== 'category')) return undefined
  const tested = { of: layerId, name: attribute }
  if (isClass) return negatedIf(test.test === 'not_class', { ...tested, is: [test.value] })
  if (named.type === 'number') return { ...tested, ...boundsOf(test) }
  // A category has no zero: a frame that records nothing has none of it.
  return negatedIf(test.test === 'none', { ...tested, recorded: true })
}

type Property = { layerId: string; property: string; isYear: boolean; summary: Description['summary'] }

/** A number is summed over the features of a frame. Years and classes are tested feature by feature. */
function filterOfProperty({ layerId, property: name, isYear, summary }: Property, test: Test): Filter | undefined {
  const some = (where: Filter): Filter => ({ of: layerId, where, above: 0 })
  const none = (where: Filter): Filter => ({ of: layerId, where, equals: 0 })
  const recorded: Filter = { name, recorded: true }
  if ((test.test === 'class' || test.test === 'not_class') && summary !== 'mode') return undefined
  if (test.test === 'class') return some({ name, is: [test.value] })
  if (test.test === 'not_class') return { all: [some(recorded), none({ name, is: [test.value] })] }
  if (isYear && test.test === 'bounds') return some({ name, ...boundsOf(test) })
  if (summary === 'mode' || isYear) return test.test === 'none' ? none(recorded) : some(recorded)
  return { of: layerId, name, ...boundsOf(test) }
}

const negatedIf = (isNegated: boolean, filter: Filter): Filter => (isNegated ? { not: filter } : filter)

/** A frame that records 0 has none; a frame that records nothing is neither. */
function boundsOf(test: Test): Bounds {
  if (test.test === 'none') return { equals: 0 }
  if (test.test !== 'bounds') return { above: 0 }
  const { above, atLeast, below, atMost } = test
  return defined({ above, atLeast, below, atMost })
}

/** The test that these bounds are. */
export function testOfBounds({ above, atLeast, below, atMost, equals }: Bounds): Test {
  if (String(equals) === '0') return { test: 'none' }
  if (equals !== undefined) return { test: 'bounds', atLeast: String(equals), atMost: String(equals) }
  const given = Object.entries({ above, atLeast, below, atMost }).flatMap(([bound, number]) =>
    number === undefined ? [] : [[bound, String(number)] as const],
  )
  return given.length === 1 && String(above) === '0'
    ? { test: 'any' }
    : { test: 'bounds', ...Object.fromEntries(given) }
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

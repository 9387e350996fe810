/** Gives sentences their parts: the names of what a figure is of, the frames that it is over, and its typed values. */
import { groupThousands } from '../decimal.js'
import type { DatasetRow } from '../db/index.js'
import { readNumbers, UNIT_OF_SPELLING } from '../numbers/index.js'
import { scopeText } from './facet-text.js'
import {
  frameCountText,
  insideSentence,
  listText,
  singularName,
  unitOfOne,
  unnamedText,
  withUnit,
} from './figure-text.js'
import { isOfFew } from './frame-set.js'
import type { Named, NamedTest, Source, TypedFigure, Unnamed } from './typed.js'

/** Label and value of a facet are for readers: no sentence is made of them. */
export type TypedFacet = { typed: TypedFigure; category: string; dataset?: DatasetRow; source: Omit<Source, 'label'> }
/** `inCounts`: the sentence says in numbers on how many frames its figure stands, where the answer has these numbers. */
export type Told = TypedFacet & { inCounts: boolean }
/** Each wording is a whole sentence, true alone. One that begins with the frames may begin with "They" instead. */
export type Wordings = string | string[]

const PREPOSITION = / (?:in|of|to|per|from|at|on|for|with|by|or) /
const SINGULAR_IN_S = /(?:ss|us|is|ics|news)$/i

/** The unit of a count is what is counted, as its label says: "Languages in the frame", in languages. */
function isCounted({ label, type, unit, plural, isYear }: Named): boolean {
  if (type === 'features' || plural !== undefined) return type === 'features' || type === 'number'
  if (unit === null || isYear) return false
  const head = label.split(', ')[0]?.toLowerCase() ?? ''
  const [noun = ''] = head.split(PREPOSITION)
  return head === unit.toLowerCase() || (noun.split(' ').at(-1) === unit.toLowerCase() && !UNIT_OF_SPELLING.has(unit))
}

/** The words for what a figure measures. The value of a single frame says how it was made. */
export function nounsOf(named: Named, isOfFrame = false) {
  const { label, type, unit, noun, plural, features, method } = named
  // "Population, 2026 estimate" is the population, and a detail of it.
  const [first = '', ...more] = label.split(', ')
  const head = (type === 'category' ? noun : plural) ?? insideSentence(first)
  const details = [...more, ...(isOfFrame && method !== undefined ? [method] : [])]
  const detailed = (text: string) => (details.length === 0 ? text : `${text} (${details.join(', ')})`)
  const counts = isCounted(named)
  const owner = features === undefined ? '' : ` of ${insideSentence(features)}`
  // "Rural or urban" is no noun.
  const measured = head.includes(' or ') ? `class of “${head}”` : (counts ? `number of ${head}` : head) + owner
  const measure = detailed(measured)
  const [counted = ''] = counts ? [] : head.split(PREPOSITION)
  // Values that add up to no number of things are a height, or a population in thousands.
  const isThings = counts && named.isSum
  const one = noun ?? (type === 'features' ? singularName(head) : unitOfOne(head))
  /** Stands behind the measure: "20,269 people", and "12" behind "the number of languages is". */
  const value = (number: string) => (counts ? groupThousands(number) : withUnit(number, unit))
  return {
    isThings,
    /** "people (2026 estimate)" */
    many: isThings ? detailed(head) : '',
    /** "population (2026 estimate)", "number of buildings": behind "the", before a verb. */
    measure,
    /** "The households are", "the distance to roads is". */
    is: singularName(counted) !== counted && !SINGULAR_IN_S.test(counted) ? 'are' : 'is',
    value,
    /** With its noun: "20,269 people (2026 estimate)", or "12.5 m". */
    amount: (number: string) =>
      isThings ? detailed(`${groupThousands(number)} ${number === '1' ? one : head}`) : value(number),
    /** "per school", "per 10,000 people" */
    per: (times?: string) =>
      times === undefined
        ? `per ${isThings ? one : measure}`
        : `per ${groupThousands(times)} ${isThings ? head : measure}`,
  }
}

export function nounPhrases(told: Told, isOfFrame = isOfFew(told.typed)) {
  const ref = refOf(told.typed)
  const [has, lie] = ref.isOne ? ['has', 'lies'] : ['have', 'lie']
  return { ...nounsOf(told.typed.named, isOfFrame), ...ref, has, lie, end: `${recordedClause(told)}.` }
}

/** A figure of a part of the frames must not pass for one of all. */
function recordedClause({ typed: { recorded, named }, inCounts }: Told): string {
  const isOfFrames = named.type === 'number' || named.type === 'category'
  if (!recorded || !isOfFrames || recorded.count >= recorded.of) return ''
  return inCounts
    ? `, recorded on ${frameCountText(recorded.count, recorded.of)}`
    : ', counting the frames that record it'
}

/** Names of datasets that are no plain names stand in quotes: a sentence in a name must not pass for one of ours. */
export const nameText = (name: string): string =>
  /^[\p{L}\p{M}\p{N} '’/&(),%°-]{1,80}$/u.test(name) ? name : `“${name.replaceAll(/[“”"]/g, "'")}”`

/** A sentence names those that pass, where these are not all. */
export const passingText = (names: readonly string[], count: number, all: number): string =>
  names.length === 0 || count === all ? '' : `: ${listText(names, count - names.length)}`

/** Counts what a list does not name: all others, or those that share the last number. */
export const rankedText = (list: readonly string[], unnamed: Unnamed, value: (number: string) => string): string =>
  unnamed.tied === undefined ? listText(list, unnamed.more) : listText(list) + unnamedText(unnamed, value)

/** The frames that a figure is over, at the start of a sentence and inside it. */
export function refOf({ scope, frames, ward }: Pick<TypedFigure, 'scope' | 'frames' | 'ward'>) {
  if (ward !== undefined)
    return { name: `the ward ${nameText(ward)}`, start: `The ward ${nameText(ward)}`, isOne: true }
  // Words of a label are quoted as they are: "frames where ...".
  const isOne = frames === 1 && !isQuoted(scope)
  const [these, the] = isOne ? ['this frame', 'the frame'] : ['these frames', 'the frames']
  const name = scope.length === 0 ? these : `${the} ${conditionsText(scope)}`
  return { name, start: name.charAt(0).toUpperCase() + name.slice(1), isOne }
}

const isQuoted = (tests: readonly NamedTest[]) =>
  tests.some(({ test }) => test.test === 'bounds' || ('value' in test && readNumbers(test.value).length > 0))

/** The check of numbers takes the number of a condition only in the words of the label, so those are quoted. */
export const conditionsText = (tests: readonly NamedTest[]): string =>
  tests.map((test) => (isQuoted(tests) ? scopeText(test) : conditionText(test))).join(' and ')

/** The words of a condition behind "frames". */
function conditionText({ named, test }: NamedTest): string {
  const { isThings, many, measure } = nounsOf(named)
  const what = (any: string) =>
    isThings ? many : named.type === 'number' ? `${any} ${measure}` : `a record of the ${measure}`
  if (!('value' in test)) return test.test === 'none' ? `without ${what('any')}` : `with ${what('some')}`
  const is = test.test === 'class'
  if (named.type === 'unit') return `${is ? 'in' : 'outside'} ${test.value}`
  return `where the ${measure} is ${is ? '' : 'not '}${test.value}`
}

/** Gives sentences their parts: the names of what a figure is of, the frames that it is over, and its typed values. */
import { levelNoun } from '../place.js'
import { groupThousands } from '../decimal.js'
import type { DatasetRow } from '../db/index.js'
import { UNIT_OF_SPELLING } from '../numbers/index.js'
import { boundsWords, FROM_MIDDLE, nearText, placeAndRest } from './facet-text.js'
import {
  betweenText,
  capital,
  frameCountText,
  groupedCount,
  insideSentence,
  listText,
  singularName,
  unitOfOne,
  unnamedText,
  withUnit,
  withArticle,
} from './figure-text.js'
import { isOfFew } from './frame-set.js'
import type { Named, NamedTest, Source, TypedFigure, Unnamed } from './typed.js'

/** Label and value of a facet are for readers: no sentence is made of them. */
export type TypedFacet = { typed: TypedFigure; category: string; dataset?: DatasetRow; source: Omit<Source, 'label'> }
/** `inCounts`: the sentence says in numbers on how many frames its figure stands, where the answer has these numbers. */
export type Told = TypedFacet & { inCounts: boolean; interval?: Interval }
/** It stands behind the number of a total. */
type Interval = { lower: string; upper: string; isOfDraws: boolean }
/** Each wording is a whole sentence, true alone. One that begins with the frames may begin with "They" instead. */
export type Wordings = string | string[]

const PREPOSITION = / (?:in|of|to|per|from|at|on|for|with|by|or) /
const SINGULAR_IN_S = /(?:ss|us|is|ics|news)$/i

/** The unit of a count is what is counted, as its label says: "Languages in the frame", in languages. */
function isCounted({ label, type, unit, plural, isYear }: Named): boolean {
  if (type === 'features' || plural !== undefined) return type !== 'category' && type !== 'unit'
  if (unit === null || isYear) return false
  const head = label.split(', ')[0]?.toLowerCase() ?? ''
  const [noun = ''] = head.split(PREPOSITION)
  return head === unit.toLowerCase() || (noun.split(' ').at(-1) === unit.toLowerCase() && !UNIT_OF_SPELLING.has(unit))
}

/** The words for what a figure measures. The value of a single frame says how it was made. */
export function nounsOf(of: Named, isOfFrame = false) {
  const { label, type, unit, noun, plural, features, method } = of
  // "Population, 2026 estimate" is the population, and a detail of it.
  const [first = '', ...more] = label.split(', ')
  const named = insideSentence(first)
  // "Children under five" are no children of any age.
  const own = named.replace(/ (?:in|of) (?:the|a|each) frame$/, '')
  const isNarrower = plural !== undefined && own.startsWith(`${plural} `)
  const head = isNarrower ? own : ((type === 'category' ? noun : plural) ?? named)
  // "Residents 2025" are people, of a year.
  const year = head === named ? null : /\b(?:19|20)\d\d\b/.exec(first)
  const details = [...(year ?? []), ...more, ...(isOfFrame && method !== undefined ? [method] : [])]
  const detailed = (text: string) => (details.length === 0 ? text : `${text} (${details.join(', ')})`)
  const counts = isCounted(of)
  const owner = features === undefined ? '' : ` of ${insideSentence(features)}`
  // "Rural or urban" is no noun.
  const measured =
    of.near !== undefined
      ? `${head.replace(/ to .*$/, '').replace(/^straight-line (?=distance)/, details.length > 0 ? '' : '$&')} to the nearest ${of.near}`
      : head.includes(' or ')
        ? `class of “${head}”`
        : (counts ? `number of ${head}` : head) + owner
  const measure = detailed(measured)
  const [counted = ''] = counts ? [] : head.split(PREPOSITION)
  // Values that add up to no number of things are a height, or a population in thousands.
  const isThings = counts && of.isSum
  const one = noun ?? (type === 'features' ? singularName(head) : unitOfOne(head))
  /** Stands behind the measure: "20,269 people", and "12" behind "the number of languages is". */
  const value = (number: string) => (counts ? groupThousands(number) : withUnit(number, unit))
  return {
    isThings,
    /** "people (2026 estimate)" */
    many: isThings ? detailed(head) : '',
    /** "at least 1 school" */
    ofBounds: (bounds: string) => `${bounds} ${detailed(bounds.endsWith(' 1') ? one : head)}`,
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
  const nouns = nounsOf(told.typed.named, isOfFrame)
  const withBounds = (text: string) => bounded(text, told.interval)
  const amount = (number: string) => withBounds(nouns.amount(number))
  const value = (number: string) => withBounds(nouns.value(number))
  return { ...nouns, amount, value, withBounds, ...ref, has, lie, end: `${recordedClause(told)}.` }
}

/** "63,368 people (2026 estimate, between 56,000 and 71,300 with a probability of 95 %)" */
function bounded(text: string, interval: Interval | undefined): string {
  if (!interval) return text
  const { lower, upper, isOfDraws } = interval
  const between = betweenText(lower, groupThousands(upper)) + (isOfDraws ? ' with a probability of 95 %' : '')
  return text.endsWith(')') ? `${text.slice(0, -1)}, ${between})` : `${text} (${between})`
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
export function passingText(names: readonly string[], count: number, all: number): string {
  return names.length === 0 || count === all ? '' : `: ${saidText(names, count - names.length)}`
}

const [SAID_MAX, SAID_WHOLE] = [5, 7]

/** Counts what a list does not name: all others, or those that share the last number. */
export function rankedText(list: readonly string[], unnamed: Unnamed, value: (number: string) => string): string {
  if (unnamed.tied !== undefined) return listText(list) + unnamedText(unnamed, value)
  return saidText(list, unnamed.more)
}

/** A sentence names so many of a longer list, and the facet more. */
export const saidText = (list: readonly string[], more: number): string =>
  list.length > SAID_MAX && (more > 0 || list.length > SAID_WHOLE)
    ? `${list.slice(0, SAID_MAX).join(', ')} and others`
    : listText(list, more)

/**
 * Names the place or the frames that a figure is about, as a sentence begins with them and as it has them inside.
 * `frames` are its frames, and `counted` so many of them. `isOne` is for the verb, `isFrame` for a single frame.
 */
export function refOf(typed: Pick<TypedFigure, 'scope' | 'frames' | 'ward' | 'place'>) {
  const { scope, frames, ward } = typed
  if (ward !== undefined) return placeRef(`the ${levelNoun('ward')} ${nameText(ward)}`)
  const { place: unit, rest } = placeAndRest(scope)
  const place = unit ?? typed.place
  if (place !== undefined && rest.length === 0) return placeRef(place)
  const isFrame = frames === 1
  const noun = isFrame ? 'frame' : 'frames'
  const conditions = rest.length === 0 ? '' : ` ${conditionsText(rest)}`
  const of = place === undefined ? '' : ` of ${place}`
  const some = (words: string) => `${words}${of}${conditions}`
  const isPart = conditions !== '' || of !== ''
  const name = some(isPart ? `the ${noun}` : isFrame ? 'this frame' : 'these frames')
  const counted = (count: number) => some(`${isPart ? 'the' : 'these'} ${groupedCount(count)} frames`)
  const all = (count: number) => some(`${allOf(count)} frames`)
  return { name, start: capital(name), isOne: isFrame, isFrame, isPlace: false, frames: name, counted, all }
}

export const allOf = (count: number) => (count === 2 ? 'both' : `all ${groupedCount(count)}`)

const placeRef = (name: string) => ({
  name,
  start: capital(name),
  isOne: true,
  isFrame: false,
  isPlace: true,
  frames: `the frames of ${name}`,
  counted: (count: number) => `the ${groupedCount(count)} frames of ${name}`,
  all: (count: number) => `${allOf(count)} frames of ${name}`,
})

export const conditionsText = (tests: readonly NamedTest[]): string => tests.map(conditionText).join(' and ')

/** The words of a condition behind "frames". */
function conditionText({ named, test, isOfFeatures = false }: NamedTest): string {
  const { isThings, many, measure, value, ofBounds } = nounsOf(named)
  const what = (any: string) =>
    isThings ? many : named.type === 'number' ? `${any} ${measure}` : `a record of the ${measure}`
  if (test.test === 'none') return `without ${what('any')}`
  if (test.test === 'any') return `with ${what('some')}`
  const end = named.isFromMiddle && isOfFeatures ? FROM_MIDDLE : ''
  if (test.test === 'bounds') {
    if (named.near !== undefined) return nearText(test, named) + end
    return isThings
      ? `with ${ofBounds(boundsWords(test, value, isThings))}`
      : `where the ${measure} is ${boundsWords(test, value, isThings)}`
  }
  const is = test.test === 'class'
  if (named.type === 'unit') return `${is ? 'in' : 'outside'} ${test.value}`
  return `where the ${measure} is ${is ? '' : 'not '}${test.value}`
}

/** The words of a condition behind "3 of these frames". */
export function predicateText({ named, test }: NamedTest, isOne: boolean): string {
  const { isThings, many, measure, value, ofBounds } = nounsOf(named)
  const [has, lies, records] = isOne ? ['has', 'lies', 'records'] : ['have', 'lie', 'record']
  if (named.near !== undefined && test.test === 'bounds') return `${lies} ${nearText(test, named)}`
  if (named.type === 'unit' && 'value' in test)
    return `${lies} ${test.test === 'class' ? 'in' : 'outside'} ${test.value}`
  if (test.test === 'class' || test.test === 'not_class')
    return `${has} ${test.test === 'class' ? '' : 'another class than '}${test.value} as ${measure}`
  if (test.test === 'bounds')
    return isThings
      ? `${has} ${ofBounds(boundsWords(test, value, isThings))}`
      : `${has} ${withArticle(measure)} ${boundsWords(test, value, isThings)}`
  if (isThings) return `${has} ${test.test === 'none' ? 'no ' : ''}${many}`
  if (named.type === 'number') return `${has} ${test.test === 'none' ? 'no' : 'some'} ${measure}`
  return `${records} ${test.test === 'none' ? 'no' : 'a'} ${measure}`
}

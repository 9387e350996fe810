/** Gives sentences their parts: the names of what a figure is of, the frames that it is over, and its typed values. */
import { groupThousands } from '../../decimal.js'
import { UNIT_OF_SPELLING } from '../numbers/counted-things.js'
import {
  countText,
  frameCountText,
  insideSentence,
  listText,
  singularName,
  TIES_NAMED,
  unitOfOne,
  withUnit,
} from '../figures/figure-text.js'
import { readNumbers } from '../numbers/numbers.js'
import { scopeText } from '../figures/facet-text.js'
import type { Facet } from '../figures/facets.js'
import type { Named, NamedTest, Source, TypedFigure } from '../figures/typed.js'

/** "Population, 2026 estimate" is the population, and a detail of it. */
const partsOf = ({ label, noun, plural, type }: Named) => {
  const [head = '', ...details] = label.split(', ')
  const given = type === 'category' ? noun : plural
  return { head: given ?? insideSentence(head), details }
}
const withDetails = (text: string, details: readonly string[]) =>
  details.length === 0 ? text : `${text} (${details.join(', ')})`

const PREPOSITION = / (?:in|of|to|per|from|at|on|for|with|by|or) /

/** The unit of a count is what is counted, as its label says: "Languages in the frame", in languages. */
const isCounted = (named: Named): boolean => {
  const { label, unit, type } = named
  if (type === 'features') return true
  if (named.plural !== undefined) return type === 'number'
  if (unit === null || named.isYear) return false
  const head = label.split(', ')[0]?.toLowerCase() ?? ''
  if (head === unit.toLowerCase()) return true
  const [noun = ''] = head.split(PREPOSITION)
  return noun.split(' ').at(-1) === unit.toLowerCase() && !UNIT_OF_SPELLING.has(unit)
}

/** Undefined where values do not add up to a number of things: a height, a population in thousands. */
export function thingsOf(named: Named): { one: string; many: string } | undefined {
  if (!isCounted(named) || !named.isSum) return undefined
  const { head } = partsOf(named)
  return { many: head, one: named.noun ?? (named.type === 'features' ? singularName(head) : unitOfOne(head)) }
}

/** "people (2026 estimate)". The figure of one frame says how it was made. */
export function manyOf(named: Named, isOfFrame = false): string {
  const things = thingsOf(named)
  return things ? withDetails(things.many, detailsOf(named, isOfFrame)) : ''
}

const detailsOf = (named: Named, isOfFrame: boolean): string[] => [
  ...partsOf(named).details,
  ...(isOfFrame && named.method !== undefined ? [named.method] : []),
]

/** "population (2026 estimate)", "number of buildings": behind "the", before a verb. */
export function measureOf(named: Named, isOfFrame = false): string {
  const { head } = partsOf(named)
  // "Rural or urban" is no noun.
  if (head.includes(' or ')) return withDetails(`class of “${head}”`, detailsOf(named, isOfFrame))
  const features = named.features === undefined ? '' : ` of ${insideSentence(named.features)}`
  return withDetails((isCounted(named) ? `number of ${head}` : head) + features, detailsOf(named, isOfFrame))
}

const SINGULAR_IN_S = /(?:ss|us|is|ics|news)$/i

/** "The households are", "the distance to roads is". */
function isAre(named: Named): 'is' | 'are' {
  const [noun = ''] = isCounted(named) ? [''] : partsOf(named).head.split(PREPOSITION)
  return singularName(noun) !== noun && !SINGULAR_IN_S.test(noun) ? 'are' : 'is'
}

/** Behind "per": "school", "10,000 people". */
export function perName(other: Named, times?: string): string {
  const things = thingsOf(other)
  if (times === undefined) return things?.one ?? measureOf(other)
  return `${groupThousands(times)} ${things?.many ?? measureOf(other)}`
}

/** The value as it stands behind measureOf: "20,269 people", and "12" behind "the number of languages is". */
export const valueOf = (named: Named, number: string): string =>
  isCounted(named) ? groupThousands(number) : withUnit(number, named.unit)

/** "20,269 people (2026 estimate)", "1 school". */
export function thingsText(named: Named, number: string, isOfFrame = false): string {
  const things = thingsOf(named)
  return withDetails(
    `${groupThousands(number)} ${(number === '1' ? things?.one : things?.many) ?? ''}`,
    detailsOf(named, isOfFrame),
  )
}

/** Names of datasets that are no plain names stand in quotes: a sentence in a name must not pass for one of ours. */
export const nameText = (name: string): string =>
  /^[\p{L}\p{M}\p{N} '’/&(),%°-]{1,80}$/u.test(name) ? name : `“${name.replaceAll(/[“”"]/g, "'")}”`
export const namesText = (names: readonly string[], more = 0): string => {
  const shown = names.map(nameText)
  return more > 0 ? `${shown.join(', ')} and ${groupThousands(String(more))} more` : listText(shown)
}

/** "Loam and Clay", "Loam and 4 others". */
export const tiedNames = (classes: readonly string[]): string =>
  classes.length > TIES_NAMED ? `${nameText(classes[0] ?? '')} and ${classes.length - 1} others` : namesText(classes)

/** The frames that a figure is over, at the start of a sentence and inside it. */
export function refOf({ scope, frames }: Pick<TypedFigure, 'scope' | 'frames'>) {
  // Words of a label are quoted as they are: "frames where ...".
  const isOne = frames === 1 && !isQuoted(scope)
  const one = (text: string) =>
    isOne ? text.replace(/^the frames/, 'the frame').replace(/^these frames/, 'this frame') : text
  const name = one(scope.length === 0 ? 'these frames' : `the ${conditionsText(scope)}`)
  return { name, start: name.charAt(0).toUpperCase() + name.slice(1), isOne }
}

const isQuoted = (tests: readonly NamedTest[]) =>
  tests.some(({ test }) => test.test === 'bounds' || ('value' in test && readNumbers(test.value).length > 0))

/** The check of numbers takes the number of a condition only in the words of the label, so those are quoted. */
export function conditionsText(tests: readonly NamedTest[]): string {
  const textOf = isQuoted(tests) ? scopeText : conditionText
  return `frames ${tests.map(textOf).join(' and ')}`
}

function conditionText({ named, test }: NamedTest): string {
  if (test.test === 'bounds') return ''
  const measure = measureOf(named)
  if (named.type === 'property') return propertyCondition(named, test)
  const things = named.type === 'category' ? undefined : thingsOf(named) && manyOf(named)
  const recorded = named.type === 'category' || named.type === 'unit' ? `a record of the ${measure}` : undefined
  switch (test.test) {
    case 'none':
      return `without ${things ?? recorded ?? `any ${measure}`}`
    case 'any':
      return `with ${things ?? recorded ?? `some ${measure}`}`
    case 'class':
      return named.type === 'unit' ? `in ${nameText(test.value)}` : `where the ${measure} is ${nameText(test.value)}`
    case 'not_class':
      return named.type === 'unit'
        ? `outside ${nameText(test.value)}`
        : `where the ${measure} is not ${nameText(test.value)}`
  }
}

function propertyCondition({ label, features = '' }: Named, test: Exclude<NamedTest['test'], { test: 'bounds' }>) {
  const many = insideSentence(features)
  if (test.test === 'none') return `without ${many} that record ${label}`
  if (test.test === 'any') return `with ${many} that record ${label}`
  const { value } = test
  const isNot = test.test === 'not_class'
  if (value === 'true' || value === 'false')
    return `with ${many}${isNot ? ' and none' : ''} recorded as ${value === 'true' ? '' : 'not '}${label}`
  return isNot
    ? `with ${many} and none whose ${label} is ${nameText(value)}`
    : `with ${many} whose ${label} is ${nameText(value)}`
}

/** Label and value of a facet are for readers: no sentence is made of them. */
export type TypedFacet = Pick<Facet, 'typed' | 'category' | 'dataset'> & { source: Omit<Source, 'label'> }

/** `inCounts`: the sentence says in numbers on how many frames its figure stands, where the answer has these numbers. */
export type Told = TypedFacet & { inCounts: boolean }

/** Each wording is a whole sentence, true alone. One that begins with the frames may begin with "They" instead. */
export type Wordings = string | string[]

/** The words for a figure. The value of a single frame says how it was made. */
/** A model is made for areas: the figure of so few frames says that it is modelled. */
const FEW_FRAMES = 4
export const isOfFew = ({ frames }: Pick<TypedFigure, 'frames'>) => frames <= FEW_FRAMES

export function phrasesOf(told: Told, isOfFrame = isOfFew(told.typed)) {
  const { named } = told.typed
  const { name, start, isOne } = refOf(told.typed)
  const things = thingsOf(named)
  return {
    name,
    start,
    isOne,
    has: isOne ? 'has' : 'have',
    things,
    many: manyOf(named, isOfFrame),
    measure: measureOf(named, isOfFrame),
    is: isAre(named),
    /** With its noun: "20,269 people (2026 estimate)", or "12.5 m". */
    amount: (number: string) => (things ? thingsText(named, number, isOfFrame) : valueOf(named, number)),
    /** Stands behind `measure`: "20,269 people". */
    value: (number: string) => valueOf(named, number),
    rec: recordedClause(told),
  }
}

/** A figure of a part of the frames must not pass for one of all. */
function recordedClause({ typed: { recorded, named }, inCounts }: Told): string {
  const isOfFrames = named.type === 'number' || named.type === 'category'
  if (!recorded || !isOfFrames || recorded.count >= recorded.of) return ''
  return inCounts
    ? `, recorded on ${frameCountText(recorded.count, recorded.of)}`
    : ', counting the frames that record it'
}

/** Counts what a list leaves out: all others, or those that share the last number. */
export function othersOf(more: number, tied: string | undefined, value: (number: string) => string): string {
  if (more === 0) return ''
  return tied === undefined
    ? `, and ${countText(more)} more`
    : `; ${countText(more)} more ${more === 1 ? 'has' : 'have'} ${value(tied)}`
}

/** The words that labels, values and sentences share: statistics, rates, groups, lists of names, and conditions. */
import { manyOf } from '../counted.js'
import { groupThousands } from '../decimal.js'
import { NUMBER_WORDS, unitOfMeasureNamed } from '../numbers/index.js'
import type { FigureStatistic, Named, NamedTest, Ranked, Test } from './typed.js'
import {
  betweenText,
  insideSentence,
  singularName,
  unnamedText,
  wholeText,
  withArticle,
  withUnit,
} from './figure-text.js'

/** A line names up to ten frames, units or features. */
export const NAMED_MAX = 10

/** Behind the name of the subject. */
export const STATISTIC_LABELS: Partial<Record<FigureStatistic, string>> = {
  sum: 'total',
  median: 'median',
  min: 'lowest',
  max: 'highest',
  mode: 'most common',
  range: 'difference between highest and lowest',
  portion: 'share',
  per_km2: 'per km²',
  mean: 'average per frame',
  weighted_mean: 'weighted average',
  names: 'names',
}

export const numberWord = (n = 1) => NUMBER_WORDS[n] ?? String(n)
/** "School" of a property of schools. */
export const oneFeature = ({ features = '' }: Named) => singularName(insideSentence(features))
/** "Population, change from 2025 estimate to 2026 estimate". */
export function changeLabel(from: string, to: string): string {
  const apart = labelsApart(from, to)
  const change = `from ${apart.from} to ${apart.to}`
  return apart.shared === '' ? `Change ${change}` : `${apart.shared}, change ${change}`
}

/** Parts what two labels begin with from what tells them apart. */
export function labelsApart(from: string, to: string): { shared: string; from: string; to: string } {
  const [fromWords, toWords] = [from.split(', '), to.split(', ')]
  const shared = fromWords.findIndex((words, i) => words !== toWords[i])
  if (shared < 1) return { shared: '', from, to }
  const rest = (words: string[]) => words.slice(shared).join(', ')
  return { shared: toWords.slice(0, shared).join(', '), from: rest(fromWords), to: rest(toWords) }
}

/** Features lie elsewhere in their frame, so a distance between features may be another. */
export const FROM_MIDDLE = ' from the middle of the frame'

export const pluralOf = ({ type, label }: Named) =>
  type === 'unit' ? manyOf(insideSentence(label)) : `classes of ${insideSentence(label)}`

/** "Per school", "per 10,000 people". */
export function perText({ unit, label }: Named, times = '1'): string {
  const many = unit ?? insideSentence(label)
  return times === '1' ? `per ${singularName(many)}` : `per ${groupThousands(times)} ${many}`
}

/** A count without a unit has its noun: "3 schools". */
export const amountText = ({ unit, label }: Named, decimal: string): string =>
  unit === null ? countedNoun(decimal, label) : withUnit(decimal, unit)
export const countedNoun = (count: string, name: string) =>
  `${groupThousands(count)} ${insideSentence(count === '1' ? singularName(name) : name)}`

/** Behind the numbers of an interval. */
export const RATES = { per_km2: ' per km²', mean: ' per frame', portion: ' %', change: '' } as const
export const moreText = (more: number) => unnamedText({ more }, String)
export const namesText = (names: readonly string[], all: number): string =>
  names.length === 0 ? '' : `: ${names.join(', ')}${moreText(all - names.length)}`

/** A number of the algebra with its unit: "7,745 people", "0.74 clinics per 10,000 people". A class stands as it is. */
export const unitText = (text: string, unit: string | null): string =>
  /^\P{L}*\p{L}/u.test(text) ? text : unit === '%' ? `${groupThousands(text)} %` : withUnit(text, unit)

/** A sentence needs no part of a person, where there are many. */
export const wholeUnitText = (text: string, unit: string | null): string =>
  unitText(unit !== null && (unit === '%' || unitOfMeasureNamed(unit)) ? text : wholeText(text), unit)

/** An interval has its bounds instead: "between 300,000 and 331,000 people". */
export const groupValue = (unit: string | null, { number, lower, upper }: Omit<Ranked, 'name'>): string =>
  lower === undefined || upper === undefined ? unitText(number, unit) : betweenText(lower, unitText(upper, unit))

const isOfThings = ({ type }: Named) => type === 'number' || type === 'features' || type === 'property'

/** Words the condition behind a name for those that pass: "that have none", "above 5,000 people". */
export function passingWords(test: Test, named: Named): string {
  switch (test.test) {
    case 'none':
    case 'any':
      return `that ${isOfThings(named) ? 'have' : 'record'} ${test.test}`
    case 'class':
      return `that are ${test.value}`
    case 'not_class':
      return `that are not ${test.value}`
    case 'bounds':
      return boundsText(test, named.unit, 'of ')
  }
}

const isUnitNamed = ({ named, test }: NamedTest): boolean => named.type === 'unit' && test.test === 'class'

/** Parts the units of a path, the smallest of which is meant, from the other conditions. */
export function placeAndRest(tests: readonly NamedTest[]): { place: string | undefined; rest: readonly NamedTest[] } {
  const path = tests.filter(isUnitNamed).map(({ test }) => ('value' in test ? test.value : ''))
  const [own, ...above] = path.toReversed()
  const place = own !== undefined && above.length > 0 ? `${own} (${above.join(', ')})` : own
  return { place, rest: tests.filter((test) => !isUnitNamed(test)) }
}

/** Words the conditions as the scope of a figure: "in Marembe", "on frames with Main roads and without Clinics". */
export function scopeOf(tests: readonly NamedTest[]): string {
  const { place, rest } = placeAndRest(tests)
  const parts = [
    ...(place === undefined ? [] : [`in ${place}`]),
    ...(rest.length === 0 ? [] : [`on ${framesText(rest)}`]),
  ]
  return parts.join(', ')
}

/** "frames with Main roads and without Clinics" */
export const framesText = (tests: readonly NamedTest[]): string => `frames ${tests.map(scopeText).join(' and ')}`

/** A property is named with its features, as its label is: "Schools, pupils". */
function scopeText({ test, named, isOfFeatures = false }: NamedTest): string {
  const { type, unit, features } = named
  const own = features === undefined ? named.label : `${features}, ${named.label}`
  const label = isOfFeatures && named.isFromMiddle ? own + FROM_MIDDLE : own
  const is = type === 'number' ? `where ${label} is` : ''
  if (type === 'unit' && 'value' in test) return `${test.test === 'class' ? 'in' : 'outside'} ${test.value}`
  switch (test.test) {
    case 'none':
      return is ? `${is} ${withUnit('0', unit)}` : `without ${label}`
    case 'any':
      return is ? `${is} above ${withUnit('0', unit)}` : `with ${label}`
    case 'class':
      return `where ${label} is ${test.value}`
    case 'not_class':
      return `where ${label} is not ${test.value}`
    case 'bounds':
      return `where ${label} is ${boundsText(test, unit, '')}`
  }
}

type Bounds = Extract<Test, { test: 'bounds' }>

/** "within 2 km of a clinic", "more than 2 km from a clinic" */
export function nearText({ above, atLeast, below, atMost }: Bounds, { near = '', unit }: Named): string {
  const far = (bound: string) => withUnit(bound, unit)
  const least = above ?? atLeast
  const most = below ?? atMost
  const under = below === undefined ? '' : 'less than '
  const over = above === undefined ? 'at least' : 'more than'
  const one = withArticle(near)
  if (least === undefined)
    return under ? `${under}${far(most ?? '')} from ${one}` : `within ${far(most ?? '')} of ${one}`
  if (most === undefined) return `${over} ${far(least)} from ${one}`
  return `${over} ${far(least)} and ${under === '' ? 'at most ' : under}${far(most)} from ${one}`
}

/** "above 3 degrees" of a measure, "more than 5,000" of things. */
export function boundsWords(
  { above, atLeast, below, atMost }: Bounds,
  text: (bound: string) => string,
  areThings: boolean,
): string {
  if (atLeast !== undefined && atLeast === atMost) return `exactly ${text(atLeast)}`
  const [over, under] = areThings ? ['more than', 'fewer than'] : ['above', 'below']
  const parts: [words: string, bound: string | undefined][] = [
    [over, above],
    ['at least', atLeast],
    [under, below],
    ['at most', atMost],
  ]
  return parts.flatMap(([words, bound]) => (bound === undefined ? [] : [`${words} ${text(bound)}`])).join(' and ')
}

function boundsText(bounds: Bounds, unit: string | null, of: string): string {
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

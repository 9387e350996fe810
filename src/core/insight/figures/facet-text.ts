/** Writes the label and the value of a figure from its typed result. */
import { groupThousands } from '../../decimal.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import type { Test } from '../reading/reading.js'
import {
  changeText,
  groupedCount,
  extentKind,
  frameCountText,
  holderText,
  insideSentence,
  listText,
  percentText,
  shareText,
  singularName,
  tiedText,
  TIES_NAMED,
  unnamedText,
  withUnit,
} from './figure-text.js'
import { INDEX, type Description, type NamedFigure } from './subject.js'
import type { FigureStatistic, Grouped, Named, NamedTest, Ranked, Result, ResultOf, TypedFigure } from './typed.js'

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
  names: 'names',
}

export function labelOf(named: NamedFigure, result: Result): string {
  const { figure, subject } = named
  const { label } = subject
  if (result.is === 'passing') return passingLabel(result.tests, label)
  if (result.is === 'change') return changeLabel(result.other.label, label)
  if (result.is === 'share' && isFlag(result.value)) return flagLabel(subject, result.value)
  if (subject.named.type === 'unit' && figure.statistic === 'count') return `${insideSentence(label)}s`
  const words = 'by' in result ? groupsLabel(named, result) : labelWords(named, result)
  return words === '' ? label : `${label}, ${words}`
}

function labelWords({ figure, subject, set: { place } }: NamedFigure, result: Result): string {
  const { statistic, n, order, of } = figure
  const { named, dataset, weight, summary } = subject
  if (result.is === 'interval')
    return `${of ? `${STATISTIC_LABELS[of]}, ` : ''}${result.isOfDraws ? '95 % interval' : 'bounds'}`
  if (result.is === 'ratio') return perText(result.other, result.times)
  if (result.is === 'share') return result.value
  if (result.is === 'recorded') return named.type === 'features' ? 'frames that have any' : 'recorded on'
  if (result.is === 'rank') return n === undefined ? `${order ?? 'highest'} first` : `${numberWord(n)} ${order}`
  if (result.is === 'extreme' && named.type === 'property')
    return named.isYear
      ? statistic === 'min'
        ? 'earliest'
        : 'latest'
      : `${STATISTIC_LABELS[statistic]} of a ${oneFeature(named)}`
  if (statistic === 'extent') return `${extentKind(dataset).kind} inside the frames`
  if (statistic === 'weighted_mean') return weight === 'area' ? 'average by area' : 'weighted average'
  if (statistic === 'mean') {
    if (named.type === 'property') return `average per ${oneFeature(named)}`
    const isKept = place === undefined || summary === 'mean'
    return isKept && dataset?.kind === 'frames' ? 'average' : 'average per frame'
  }
  return subject.source.layerId === INDEX.layerId && statistic === 'sum' ? '' : (STATISTIC_LABELS[statistic] ?? '')
}

const numberWord = (n = 1) => NUMBER_WORDS[n] ?? String(n)
/** "School" of a property of schools. */
const oneFeature = ({ features = '' }: Named) => singularName(insideSentence(features))
const isFlag = (value: string) => value === 'true' || value === 'false'

/** "Clinics, open at night" and "Clinics, not open at night". */
function flagLabel({ label, named: { features = '', type } }: Description, value: string): string {
  if (type !== 'property') return `${label}, ${value}`
  return value === 'true' ? label : `${features}, not ${label.slice(features.length + 2)}`
}

function passingLabel(tests: readonly NamedTest[], label: string): string {
  const [first] = tests
  if (tests.length === 1 && first) return `${label}, frames ${passingWords(first.test, first.named)}`
  return `F${scopeOf(tests).slice(1)}`
}

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

/** The words of a label that say how the figure of each group is made. */
const GROUP_WORDS: Partial<Record<FigureStatistic, string>> = {
  portion: 'share',
  interval: '95 % interval',
  sum: 'total',
  mean: 'average per frame',
  weighted_mean: 'weighted average',
  per_km2: 'per km²',
}

function groupsLabel({ figure, subject: { dataset, named } }: NamedFigure, { by, per }: Grouped): string {
  const { statistic, n, order, having } = figure
  const words = per
    ? perText(per.other, per.times)
    : statistic === 'extent'
      ? extentKind(dataset).kind
      : (GROUP_WORDS[statistic] ?? '')
  const isFromMiddle = by.isFromMiddle && (named.type === 'features' || named.type === 'property')
  const grouped = `${words} by ${insideSentence(by.label)}${isFromMiddle ? FROM_MIDDLE : ''}`.trim()
  if (having)
    return `${grouped}, ${pluralOf(by)} ${passingWords(having, statistic === 'portion' ? { ...named, unit: '%' } : named)}`
  if (order === undefined) return grouped
  return `${grouped}, ${n === 1 ? order : n === undefined ? `${order} first` : `${numberWord(n)} ${order}`}`
}

/** Features lie elsewhere in their frame, so a distance between features may be another. */
const FROM_MIDDLE = ' from the middle of the frame'

export const pluralOf = ({ type, label }: Named) =>
  type === 'unit' ? `${insideSentence(label)}s` : `classes of ${insideSentence(label)}`

/** "Per school", "per 10,000 people". */
function perText({ unit, label }: Named, times = '1'): string {
  const many = unit ?? insideSentence(label)
  return times === '1' ? `per ${singularName(many)}` : `per ${groupThousands(times)} ${many}`
}

/** A count without a unit has its noun: "3 schools". */
const amountText = ({ unit, label }: Named, decimal: string): string =>
  unit === null ? countedNoun(decimal, label) : withUnit(decimal, unit)
const countedNoun = (count: string, name: string) =>
  `${groupThousands(count)} ${insideSentence(count === '1' ? singularName(name) : name)}`

/** `recorded` counts features: the figures of frames say it in another place. */
export function facetValue(named: NamedFigure, { result, recorded }: Pick<TypedFigure, 'result' | 'recorded'>): string {
  const { features } = named.subject.named
  const isPart = result.is !== 'recorded' && recorded && recorded.count < recorded.of
  const note = isPart ? `; ${recorded.count} of ${countedNoun(String(recorded.of), features ?? '')} record it` : ''
  return ('by' in result ? groupsValue(named, result) : resultValue(named, result)) + note
}

function resultValue({ figure, subject }: NamedFigure, result: Exclude<Result, Grouped>): string {
  const { named, dataset } = subject
  const text = (decimal: string) => withUnit(decimal, named.unit)
  const ofFeatures = (count: number) => countedNoun(String(count), named.features ?? named.label)
  const isProperty = named.type === 'property'
  switch (result.is) {
    case 'amount':
      if (figure.statistic === 'extent') return `${groupThousands(result.number)} ${extentKind(dataset).unit}`
      return named.type === 'unit' ? `${result.number} ${pluralOf(named)}` : text(result.number)
    case 'extreme':
      if (result.at === null) return text(result.number)
      return `${text(result.number)} ${isProperty ? `at ${result.at}` : `in ${holderText(result.at, result.others)}`}`
    case 'mode': {
      const { classes, count, of } = result
      const share = isProperty ? `${count} of ${ofFeatures(of)}, ${percentText(count, of)} %` : shareText(count, of)
      return `${tiedText(classes)} (${share})`
    }
    case 'share': {
      const { count, of, names = [] } = result
      if (!isProperty) return shareText(count, of)
      return `${count} of ${ofFeatures(of)}${count === of ? '' : namesText(names, count)}`
    }
    case 'classes': {
      const shown = result.classes.map(({ value, count }) => `${value} (${frameCountText(count, result.of)})`)
      return [...shown, ...(result.more > 0 ? [`${result.more} more`] : [])].join('; ')
    }
    case 'text':
      return result.value
    case 'recorded':
      return isProperty ? `${result.count} of ${ofFeatures(result.of)}` : frameCountText(result.count, result.of)
    case 'passing':
      return passingValue(result)
    case 'names':
      if (named.type === 'unit') return result.names.join('; ') + moreText(result.count - result.names.length)
      return ofFeatures(result.count) + namesText(result.names, result.count)
    case 'range':
      return `${text(result.number)} (from ${text(result.lowest)} to ${text(result.highest)})`
    case 'interval':
      return `between ${groupThousands(result.lower)} and ${figure.of === 'portion' ? result.upper : text(result.upper)}${figure.of ? RATES[figure.of] : ''}`
    case 'rank': {
      const list = result.ranked.map(({ name, number }) => `frame ${name} (${text(number)})`).join(', ')
      return list + unnamedText(result, text)
    }
    case 'portion':
      return `${result.percent} % (${groupThousands(result.part)} of ${amountText(named, result.whole)})`
    case 'density':
      return `${text(result.number)} per km² (${text(result.total)} on ${groupThousands(result.area)} km²)`
    case 'ratio':
      return ratioValue(named, result)
    case 'change':
      return `${changeText(result, text)} (from ${text(result.from)} to ${text(result.to)})`
  }
}

function ratioValue(named: Named, { number, total, other, otherTotal, times }: ResultOf<'ratio'>): string {
  const totals = `(${amountText(named, total)}, ${amountText(other, otherTotal)})`
  return number === null ? `not defined ${totals}` : `${amountText(named, number)} ${perText(other, times)} ${totals}`
}

/** Behind the numbers of an interval. */
export const RATES = { per_km2: ' per km²', mean: ' per frame', portion: ' %' } as const
const moreText = (more: number) => unnamedText({ more }, String)
const namesText = (names: readonly string[], all: number): string =>
  names.length === 0 ? '' : `: ${names.join(', ')}${moreText(all - names.length)}`

/** "2 of 9 frames, 22.2 %: 322074005, 322074006". Frames need no names where all of them pass. */
function passingValue({ ids, of, recorded }: ResultOf<'passing'>): string {
  const named = ids.length === of ? '' : namesText(ids.slice(0, NAMED_MAX), ids.length)
  const silent = of - recorded
  const nothing = silent === 0 ? '' : `; ${groupedCount(silent)} ${silent === 1 ? 'records' : 'record'} nothing`
  return shareText(ids.length, of) + named + nothing
}

/** The number of a group with its unit: "7,745 people", "0.74 clinics per 10,000 people". */
function groupNumber({ figure, subject }: NamedFigure, per: Grouped['per'], number: string): string {
  const { named, dataset } = subject
  if (figure.statistic === 'portion') return `${number} %`
  if (figure.statistic === 'extent') return withUnit(number, extentKind(dataset).unit)
  const rate = per ? ` ${perText(per.other, per.times)}` : figure.statistic === 'per_km2' ? ' per km²' : ''
  return amountText(named, number) + rate
}

/** An interval has its bounds instead: "between 300,000 and 331,000 people". */
export function groupValue(
  named: NamedFigure,
  per: Grouped['per'],
  { number, lower, upper }: Omit<Ranked, 'name'>,
): string {
  if (lower === undefined || upper === undefined) return groupNumber(named, per, number)
  return `between ${groupThousands(lower)} and ${groupNumber(named, per, upper)}`
}

function groupsValue(named: NamedFigure, result: Extract<Result, Grouped>): string {
  const { by, all, per } = result
  const text = (number: string) => groupNumber(named, per, number)
  const nothing = silentText(result)
  if (result.is === 'group') {
    const { names, number } = result
    // "7,745 people in MERIDIAN BAY", "3 schools in KOFA and KIRIN", "0 schools in ALDER and 11 others".
    const where =
      names.length <= TIES_NAMED ? listText(names) : `${names[0]} and ${groupedCount(names.length - 1)} others`
    return `${text(number)} in ${where}${nothing}`
  }
  if (result.is === 'groups') {
    const list = result.ranked.map((each) => `${each.name} (${groupValue(named, per, each)})`).join(', ')
    return list + unnamedText(result, text) + nothing
  }
  const { names, count } = result
  const listed = names.length === 0 || count === all ? '' : `: ${names.join('; ')}${moreText(count - names.length)}`
  return `${groupedCount(count)} of ${groupedCount(all)} ${pluralOf(by)}${listed}${nothing}`
}

export const silentText = ({ by, silent, all }: Grouped) =>
  silent === 0 ? '' : `; ${groupedCount(silent)} of ${groupedCount(all)} ${pluralOf(by)} record nothing`

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

/** Words the conditions as the scope of a figure: "frames with Main roads and without Clinics". */
export const scopeOf = (tests: readonly NamedTest[]): string => `frames ${tests.map(scopeText).join(' and ')}`

/** A property is named with its features, as its label is: "Schools, pupils". */
export function scopeText({ test, named, isOfFeatures = false }: NamedTest): string {
  const { type, unit, features } = named
  const own = features === undefined ? named.label : `${features}, ${named.label}`
  const label = isOfFeatures && named.isFromMiddle ? own + FROM_MIDDLE : own
  const is = type === 'number' ? `where ${label} is` : ''
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

/**
 * Results of each unit or class: all of them, the first, and those that pass. They are of the frames asked that lie
 * there, never of a whole unit.
 */
import {
  FROM_MIDDLE,
  groupNumber,
  groupValue,
  moreText,
  numberWord,
  passingWords,
  perText,
  pluralOf,
  STATISTIC_LABELS,
} from '../facet-text.js'
import {
  extentKind,
  groupedCount,
  insideSentence,
  listText,
  partText,
  tiedNames,
  TIES_NAMED,
  unnamedText,
  withUnit,
} from '../figure-text.js'
import { nounsOf, passingText, rankedText, type Told } from '../nouns.js'
import type { NamedFigure } from '../subject.js'
import type { Grouped, Named } from '../typed.js'
import type { Kind, Phrases } from './kind.js'

/** The share of a group is tested in percent. */
const tested = (named: Named, isShare: boolean): Named => (isShare ? { ...named, unit: '%' } : named)

function label(figured: NamedFigure, { by, per }: Grouped): string {
  const { figure, subject } = figured
  const { dataset, named } = subject
  const { statistic, n, order, having } = figure
  const labels = { ...STATISTIC_LABELS, extent: extentKind(dataset).kind, interval: '95 % interval' }
  const words = per ? perText(per.other, per.times) : (labels[statistic] ?? '')
  const isFromMiddle = by.isFromMiddle && (named.type === 'features' || named.type === 'property')
  const grouped = `${words} by ${insideSentence(by.label)}${isFromMiddle ? FROM_MIDDLE : ''}`.trim()
  const passing = having && `${pluralOf(by)} ${passingWords(having, tested(named, statistic === 'portion'))}`
  const ordered = order && (n === 1 ? order : n === undefined ? `${order} first` : `${numberWord(n)} ${order}`)
  return [subject.label, grouped, ...((passing ?? ordered) ? [passing ?? ordered] : [])].join(', ')
}

const silentText = ({ by, silent, all }: Grouped) =>
  silent === 0 ? '' : `; ${partText(silent, all)} ${pluralOf(by)} record nothing`

/** The words of a sentence about groups. */
function groupPhrases(told: Told, result: Grouped, phrases: Phrases) {
  const { typed, source, dataset } = told
  const { by, per } = result
  const { isThings, isOne, value: valueOf, end } = phrases
  const rate = per ? ` ${nounsOf(per.other).per(per.times)}` : source.statistic === 'per_km2' ? ' per km²' : ''
  const isShare = source.statistic === 'portion'
  const value = (number: string) => {
    if (isShare) return `${number} %`
    return source.statistic === 'extent'
      ? withUnit(number, extentKind(dataset).unit)
      : valueOf(number) + (isThings ? '' : rate)
  }
  const kind = by.type === 'unit' ? insideSentence(by.label) : nounsOf(by).measure
  return {
    ...phrases,
    isShare,
    kind,
    value,
    named: tested(typed.named, isShare),
    measure: measureOfGroups(told, isOne) + (isThings ? rate : ''),
    placeOf: (group: string) => (by.type === 'unit' ? `in ${group}` : `where the ${kind} is ${group}`),
    end: silentText(result) + end,
  }
}

/** Returns the words between "the" and "of": "average elevation". */
function measureOfGroups({ typed: { named }, source: { statistic }, dataset }: Told, isOfFrame: boolean): string {
  const { isThings, many, measure } = nounsOf(named, isOfFrame)
  const [ofThings, ofValues] = GROUP_MEASURES[statistic] ?? ['X', 'X']
  if (statistic === 'extent') return `${extentKind(dataset).kind} of the ${many}`
  if (statistic === 'portion') return `share of ${isThings ? `all ${many}` : `the total ${measure}`}`
  return isThings ? ofThings.replace('X', `number of ${many}`) : ofValues.replace('X', measure)
}

/** X is the number of things, or the measure of values that are no things. */
const GROUP_MEASURES: Readonly<Record<string, [ofThings: string, ofValues: string]>> = {
  sum: ['X', 'total X'],
  count: ['X', 'total X'],
  mean: ['average X per frame', 'average of the X'],
  weighted_mean: ['weighted average of the X', 'weighted average of the X'],
}

export const groups: Kind<'groups'> = {
  label,
  value: (figured, result) => {
    const { per, ranked } = result
    const list = ranked.map((each) => `${each.name} (${groupValue(figured, per, each)})`).join(', ')
    return list + unnamedText(result, (number) => groupNumber(figured, per, number)) + silentText(result)
  },
  sentences: (told, result, phrases) => {
    const { kind, measure, isShare, name, has, value, placeOf, end } = groupPhrases(told, result, phrases)
    const list = result.ranked.map((each) => `${value(each.number)} ${placeOf(each.name)}`)
    const from = result.order === undefined ? '' : `, from the ${result.order},`
    const whose = isShare ? `that ${name} ${has}` : `of ${name}`
    return `By ${kind}, the ${measure} ${whose}${from} is ${rankedText(list, result, value)}${end}`
  },
}

export const group: Kind<'group'> = {
  label,
  /** "7,745 people in MERIDIAN BAY", "3 schools in KOFA and KIRIN", "0 schools in ALDER and 11 others". */
  value: (figured, result) => {
    const { names, number, per } = result
    return `${groupNumber(figured, per, number)} in ${tiedNames(names)}${silentText(result)}`
  },
  sentences: (told, result, phrases) => {
    const { names, order, number } = result
    const { isThings, many, measure, isShare, kind, name, value, placeOf, end } = groupPhrases(told, result, phrases)
    const isTotal = isThings && (told.source.statistic === 'sum' || told.source.statistic === 'count')
    const what = isTotal ? `the ${order === 'highest' ? 'most' : 'fewest'} ${many}` : `the ${order} ${measure}`
    const [first = '', ...others] = names.map((each) => `those ${placeOf(each)}`)
    const those =
      names.length > TIES_NAMED ? `${first} and in ${groupedCount(others.length)} others` : listText([first, ...others])
    const each = `${value(number)}${names.length === 1 ? '' : ' each'}${end}`
    if (isShare) return `Of ${name}, ${those} have ${what} there: ${each}`
    return [
      `Of ${name}, ${those} have ${what} of any ${kind}: ${each}`,
      `By ${kind}, ${those} have ${what} of ${name}: ${each}`,
    ]
  },
}

export const groups_passing: Kind<'groups_passing'> = {
  label,
  value: (_, result) => {
    const { by, all, names, count } = result
    const listed = names.length === 0 || count === all ? '' : `: ${names.join('; ')}${moreText(count - names.length)}`
    return `${partText(count, all)} ${pluralOf(by)}${listed}${silentText(result)}`
  },
  sentences: (told, result, phrases) => {
    const { by, all, test, names, count } = result
    const { measure, name, named, end } = groupPhrases(told, result, phrases)
    const some = `${partText(count, all)} ${pluralOf(by)} of ${name} are ${pluralOf(by)}`
    return `By ${measure}, ${some} ${passingWords(test, named)}${passingText(names, count, all)}${end}`
  },
}

/**
 * Results of each unit or class: all of them, the first, and those that pass. They are of the frames asked that lie
 * there, never of a whole unit.
 */
import {
  boundsWords,
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
  wholeText,
  withUnit,
} from '../figure-text.js'
import { capital, nounsOf, passingText, rankedText, type Told } from '../nouns.js'
import type { NamedFigure } from '../subject.js'
import type { Grouped, Named, Ranked, ResultOf, Test } from '../typed.js'
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

/** A ward without a school records no number of people per school: it has none. */
function silentText({ by, silent, without = 0, all, per }: Grouped): string {
  const of = (count: number, one: string, many: string) =>
    count === 0 ? '' : `; ${partText(count, all)} ${pluralOf(by)} ${count === 1 ? one : many}`
  const none = ` no ${per ? nounsOf(per.other).many : ''}`
  return of(without, `has${none}`, `have${none}`) + of(silent - without, 'records nothing', 'record nothing')
}

/** The words of a sentence about groups. */
function groupPhrases(told: Told, result: Grouped, phrases: Phrases) {
  const { typed, source, dataset } = told
  const { by, per } = result
  const { isThings, isFrame, value: valueOf, end } = phrases
  const rate = per ? ` ${nounsOf(per.other).per(per.times)}` : source.statistic === 'per_km2' ? ' per km²' : ''
  const isShare = source.statistic === 'portion'
  const value = (number: string) => {
    if (isShare) return `${number} %`
    return source.statistic === 'extent'
      ? withUnit(number, extentKind(dataset).unit)
      : isThings
        ? valueOf(rate === '' ? number : wholeText(number))
        : valueOf(number) + rate
  }
  const kind = by.type === 'unit' ? insideSentence(by.label) : nounsOf(by).measure
  return {
    ...phrases,
    isShare,
    kind,
    value,
    /** The first number of a list has the words of all. */
    firstAmount: (number: string) =>
      isShare
        ? `${value(number)} of ${isThings ? `all ${phrases.many}` : `the total ${phrases.measure}`}`
        : phrases.amount(rate === '' ? number : wholeText(number)) + rate,
    named: tested(typed.named, isShare),
    measure: measureOfGroups(told, isFrame) + (isThings ? rate : ''),
    /** "the 12 LGAs", "the 3 LGAs that these frames lie in" */
    units: (count: number) => {
      const { frames, isPlace } = phrases
      const units =
        count === 1 && result.silent === 0
          ? `the only ${insideSentence(by.label)}`
          : `the ${groupedCount(count)} ${pluralOf(by)}`
      if (!isPlace) return `${units} that ${frames} ${phrases.isFrame ? 'lies' : 'lie'} in`
      return phrases.name === 'the country' ? units : `${units} of ${phrases.name}`
    },
    allUnits: phrases.name === 'the country' ? `all ${pluralOf(by)}` : `all ${pluralOf(by)} of ${phrases.name}`,
    placeOf: (group: string) => (by.type === 'unit' ? `in ${group}` : `where the ${kind} is ${group}`),
    end: end.replace(/\.$/, `${silentText(result)}.`),
  }
}

/** Returns the words between "the" and "of": "average elevation". */
function measureOfGroups({ typed: { named }, source: { statistic }, dataset }: Told, isOfFrame: boolean): string {
  const { isThings, many, measure } = nounsOf(named, isOfFrame)
  const [ofThings, ofValues] = GROUP_MEASURES[statistic] ?? ['X', 'X']
  if (statistic === 'extent') return `${extentKind(dataset).kind} of the ${many}`
  if (statistic === 'portion') return `share of ${isThings ? `all ${many}` : `the total ${measure}`}`
  return isThings
    ? ofThings.replace('X', `number of ${many}`)
    : ofValues.replace('X', measure).replace('average mean ', 'mean ')
}

/** X is the number of things, or the measure of values that are no things. */
const GROUP_MEASURES: Readonly<Record<string, [ofThings: string, ofValues: string]>> = {
  sum: ['X', 'total X'],
  count: ['X', 'total X'],
  mean: ['average X per frame', 'average X'],
  weighted_mean: ['weighted average of the X', 'average X'],
}

export const groups: Kind<'groups'> = {
  label,
  value: (figured, result) => {
    const { per, ranked } = result
    const list = ranked.map((each) => `${each.name} (${groupValue(figured, per, each)})`).join(', ')
    return list + unnamedText(result, (number) => groupNumber(figured, per, number)) + silentText(result)
  },
  sentences: (told, result, phrases) => {
    const { kind, measure, many, isThings, isShare, name, start, has, value, firstAmount, end } = groupPhrases(
      told,
      result,
      phrases,
    )
    const { order, ranked, by } = result
    // The units of a list from the highest are those "with the most people".
    if (by.type === 'unit' && order !== undefined && !isShare && phrases.isPlace) {
      const most = isThings && !isRate(told, result) ? mostText(order, many) : `the ${order} ${measure}`
      const list = ranked.map((each) => `${each.name} (${value(each.number)})`)
      return `The ${insideSentence(by.label)}${list.length === 1 ? '' : 's'} of ${name} with ${most} ${list.length === 1 ? 'is' : 'are'} ${rankedText(list, result, value)}${end}`
    }
    const isOfAmounts = order === undefined && (isShare || (isThings && AMOUNTS.has(told.source.statistic)))
    const place = (group: string) => `${by.type === 'unit' ? 'in' : 'where it is'} ${group}`
    if (isOfAmounts) {
      const { some, isCut } = withoutNone(told, result)
      // Frames are not what frames have.
      if (by.type === 'unit' && !isShare && told.source.attribute === 'frame_id' && !phrases.isPlace)
        return `Of ${name}, ${rankedText(
          ranked.map(
            ({ number, name: group }, i) =>
              `${value(number)} ${i > 0 ? '' : number === '1' ? 'lies ' : 'lie '}${place(group)}`,
          ),
          result,
          value,
        )}${end}`
      if (some.length === 0) return `${start} ${has} no ${many} in any ${kind}${end}`
      const list = some.map(
        ({ number, name: group }, i) => `${i === 0 ? firstAmount(number) : value(number)} ${place(group)}`,
      )
      return `By ${kind}, ${name} ${has} ${!isCut ? rankedText(list, result, value) : listText([...list, `none ${by.type === 'unit' ? 'in any other' : 'elsewhere'}`])}${end}`
    }
    const list = ranked.map(({ number, name: group }) => `${value(number)} ${place(group)}`)
    const from = order === undefined ? '' : `, from the ${order},`
    const whose = isShare ? `that ${name} ${has}` : `of ${name}`
    return `By ${kind}, the ${measure} ${whose}${from} is ${rankedText(list, result, value)}${end}`
  },
}

/** A place has so many of these: a number of things, or a rate of them. */
const AMOUNTS: ReadonlySet<string> = new Set(['sum', 'count', 'per', 'per_km2'])

/** Groups that have none need no line each, where the list has all that have any and each records what it has. */
function withoutNone(
  { typed: { recorded } }: Told,
  { ranked, silent, all }: ResultOf<'groups'>,
): { some: readonly Ranked[]; isCut: boolean } {
  const some = ranked.filter(({ number }) => number !== '0')
  const isWhole = silent === 0 && (!recorded || recorded.count === recorded.of)
  const isCut = isWhole && some.length < ranked.length && all - some.length > 1
  return { some: isCut ? some : ranked, isCut }
}

const mostText = (order: string, many: string) => `the ${order === 'highest' ? 'most' : 'fewest'} ${many}`
const isRate = ({ source }: Told, result: Grouped) =>
  result.per !== undefined || (source.statistic !== 'sum' && source.statistic !== 'count')

export const group: Kind<'group'> = {
  label,
  /** "7,745 people in MERIDIAN BAY", "3 schools in KOFA and KIRIN", "0 schools in ALDER and 11 others". */
  value: (figured, result) => {
    const { names, number, per } = result
    return `${groupNumber(figured, per, number)} in ${tiedNames(names)}${silentText(result)}`
  },
  sentences: (told, result, phrases) => {
    const { names, order, number, by } = result
    const { isThings, many, measure, isShare, kind, name, frames, value, placeOf, allUnits, end } = groupPhrases(
      told,
      result,
      phrases,
    )
    const what = isThings && !isRate(told, result) ? mostText(order, many) : `the ${order} ${measure}`
    const numbers = `${value(number)}${names.length === 1 ? '' : ' each'}${end}`
    if (by.type === 'unit' && phrases.isPlace && !isShare) {
      const has = names.length === 1 ? 'has' : 'have'
      if (number === '0' && isThings && order === 'lowest' && !isRate(told, result))
        return `${tiedNames(names)} ${has} no ${many}, the fewest of ${allUnits}${end}`
      return `${tiedNames(names)} ${has} ${what} of ${allUnits}: ${numbers}`
    }
    if (told.source.attribute === 'frame_id' && by.type === 'unit' && !isShare && !isRate(told, result))
      return `${tiedNames(names)} ${names.length === 1 ? 'has' : 'have'} the ${order} number of ${frames.replace(/^the /, '')}: ${numbers}`
    const [first = '', ...others] = names.map((each) => `those ${placeOf(each)}`)
    const those =
      names.length > TIES_NAMED ? `${first} and in ${groupedCount(others.length)} others` : listText([first, ...others])
    if (isShare) return `Of ${frames}, ${those} have ${what} there: ${numbers}`
    return [
      `Of ${frames}, ${those} have ${what} of any ${kind}: ${numbers}`,
      `By ${kind}, ${those} have ${what} of ${name}: ${numbers}`,
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
    const { all, test, names, count } = result
    const { isThings, measure, value, units, end } = groupPhrases(told, result, phrases)
    const isOne = count === 1
    const isSilent = result.silent > 0
    const isOnly = all === 1 && !isSilent
    // "All have clinics", and not "none has no clinics".
    const isOfThings = isThings && !isRate(told, result)
    const areAll = count === all || (count === 0 && test.test === 'none' && !isSilent && isOfThings)
    const part = `${areAll ? 'All' : count === 0 ? 'None' : groupedCount(count)} of ${units(all)}`
    const some = isOnly ? capital(units(all)) : part
    const has = isOnly ? (areAll ? 'has' : 'does not have') : !areAll && count <= 1 ? 'has' : 'have'
    const passes = isOfThings
      ? thingsPassing(areAll && count === 0 ? { test: 'any' } : test, phrases, value)
      : `a ${measure} ${valuesPassing(test, value)}`
    return `${some} ${has} ${passes}${count === 0 || (isOne && names.length === 0) ? '' : passingText(names, count, all)}${end}`
  },
}

function thingsPassing(test: Test, { many, ofBounds }: Phrases, value: (number: string) => string): string {
  if (test.test === 'bounds') return ofBounds(boundsWords(test, value, true))
  return test.test === 'none' ? `no ${many}` : many
}

const valuesPassing = (test: Test, value: (number: string) => string): string =>
  test.test === 'bounds'
    ? boundsWords(test, value, false)
    : test.test === 'none'
      ? `of ${value('0')}`
      : `above ${value('0')}`

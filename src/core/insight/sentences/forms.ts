/** Writes whole sentences of one figure. Each is true alone, wherever it stands. */
import { groupThousands } from '../../decimal.js'
import { NAMED_MAX, passingWords, pluralOf, RATES, silentText } from '../figures/facet-text.js'
import {
  changeText,
  groupedCount,
  extentKind,
  holderText,
  insideSentence,
  listText,
  percentText,
  singularName,
  TIES_NAMED,
  withUnit,
} from '../figures/figure-text.js'
import { isOfFew } from '../figures/frame-set.js'
import { INDEX } from '../figures/subject.js'
import type { Grouped, Result, ResultOf } from '../figures/typed.js'
import { conditionsText, nounPhrases, rankedText, tiedNames, type Told, type Wordings, nounsOf } from './nouns.js'

type Phrases = ReturnType<typeof nounPhrases>

export function wordingsOf(told: Told): string[] {
  const { source, typed } = told
  const { result, named } = typed
  if ('by' in result) return [groupWordings(told, result)].flat()
  if (result.is === 'passing') return [passingWordings(told, result)].flat()
  const isOfUnits = source.layerId === INDEX.layerId && (named.type === 'unit' || source.attribute === 'frame_id')
  const own = isOfUnits ? indexWordings(told) : named.type === 'property' ? propertyWordings(told) : []
  return own.length > 0 ? [own].flat() : [wordingsOfResult(told, result)].flat()
}

function wordingsOfResult(told: Told, result: Result): Wordings {
  const form = FORMS[result.is] as ((told: Told, phrases: Phrases, result: Result) => Wordings) | undefined
  return form?.(told, nounPhrases(told), result) ?? []
}

type Forms = { [Form in Result['is']]?: (told: Told, phrases: Phrases, result: ResultOf<Form>) => Wordings }

/** Groups, and frames that pass conditions, have forms of their own. */
const FORMS: Forms = {
  amount: (told, phrases, { number }) => amountWordings(told, phrases, number),
  extreme: (told, _, result) => extremeWordings(told, result),
  ratio: (_, phrases, result) => ratioWordings(phrases, result),
  change: changeWordings,
  mode: modeWordings,
  range: (_, { measure, name, value, end }, { number, lowest, highest }) =>
    `The lowest and the highest ${measure} of ${name} differ by ${value(number)}: from ${value(lowest)} to ${value(highest)}${end}`,
  interval: ({ source: { of }, typed }, phrases, { lower, upper, isOfDraws }) => {
    const { isThings, name, many, measure, is, has, amount, value, end } = phrases
    const rate = of === undefined || of === 'portion' ? '' : RATES[of]
    const between = (most: string) => `between ${groupThousands(lower)} and ${most}${rate}`
    if (!isOfDraws) return `The dataset puts the ${measure} of ${name} ${between(value(upper))}${end}`
    const all = isThings ? `the ${many}` : `the total ${measure}`
    if (of === 'portion')
      return `With a probability of 95 %, ${name} ${has} ${between(`${upper} %`)} of ${all} of ${wholeOf(typed)}${end}`
    return isThings
      ? `With a probability of 95 %, there are ${between(amount(upper))} in ${name}${end}`
      : `With a probability of 95 %, the ${measure} of ${name} ${is} ${between(value(upper))}${end}`
  },
  rank: ({ typed }, { isThings, many, measure, name, value, end }, { order, ranked, ...unnamed }) => {
    const [one, other, ...more] = order === 'highest' ? ranked : ranked.toReversed()
    // Two frames are compared.
    if (one && other && more.length + unnamed.more === 0 && typed.frames === 2 && typed.scope.length === 0)
      return one.number === other.number
        ? `Frame ${one.name} has as ${isThings ? `many ${many}` : `high a ${measure}`} as frame ${other.name}: ${value(one.number)}${end}`
        : `Frame ${one.name} has ${isThings ? `more ${many}` : `a higher ${measure}`} than frame ${other.name}: ${value(one.number)} against ${value(other.number)}${end}`
    const list = ranked.map((each) => `frame ${each.name} (${value(each.number)})`)
    const those = `${ranked.length === 1 ? 'is' : 'are'} ${rankedText(list, unnamed, value)}${end}`
    return `By ${nounsOf(typed.named, true).measure}, the ${order} of ${name} ${those}`
  },
  portion: ({ typed }, { start, has, isThings, many, measure, amount, end }, { percent, part, whole }) => {
    const all = isThings ? `the ${many}` : `the total ${measure}`
    const some = `${groupThousands(part)} of ${amount(whole)}`
    return `${start} ${has} ${percent} % of ${all} of ${wholeOf(typed)}: ${some}${end}`
  },
  density: (_, { name, isThings, many, measure, is, value, end }, { number, total, area }) => {
    const land = `${value(total)} on ${groupThousands(area)} km²${end}`
    return isThings
      ? `There are ${groupThousands(number)} ${many} per km² in ${name}: ${land}`
      : `The ${measure} of ${name} ${is} ${value(number)} per km²: ${land}`
  },
  text: (_, { measure, name, is, end }, { value }) => `The ${measure} of ${name} ${is} ${value}${end}`,
  classes: (_, { measure, name, is, end }, { classes, of, more }) => {
    const shown = classes.map((each) => `${each.value} (${groupedCount(each.count)} of ${groupedCount(of)} frames)`)
    return `The ${measure} of ${name} ${is} recorded as ${listText(shown, more)}${end}`
  },
  names: (_, { start, has, many, name, amount }, { count, names }) => {
    if (count === 0) return `${start} ${has} no ${many}.`
    const list = names.length === 0 ? '' : `: ${listText(names, count - names.length)}`
    return `There ${count === 1 ? 'is' : 'are'} ${amount(String(count))} in ${name}${list}.`
  },
  share: ({ typed }, { isOne, measure, name }, { value, count, of }) => {
    if (isOne) return `The ${measure} of ${name} is ${count === 0 ? 'not ' : ''}${value}.`
    const some = `${groupedCount(count)} of ${groupedCount(of)}${of < typed.frames ? ' that record it' : ''}`
    return `Of ${name}, ${some} ${count === 1 ? 'has' : 'have'} ${value} as ${measure} (${percentText(count, of)} %).`
  },
  recorded: ({ typed }, { start, has, isOne, many, measure, name }, { count, of }) => {
    const some = `Of ${name}, ${groupedCount(count)} of ${groupedCount(of)}`
    const isOfFeatures = typed.named.type === 'features'
    if (count === 0)
      return `${start} ${isOfFeatures ? `${has} no ${many}` : `${isOne ? 'records' : 'record'} no ${measure}`}.`
    if (!isOfFeatures) return `${some} ${count === 1 ? 'records' : 'record'} the ${measure}.`
    return isOne ? `There are ${many} in ${name}.` : `${some} have ${many}.`
  },
}

/** A share of the people of a place is one of those who live there. */
function wholeOf({ scope }: Told['typed']): string {
  const places = scope.filter(({ named, test }) => named.type === 'unit' && test.test === 'class')
  const isPart = places.length > 0 && places.length < scope.length
  return `the ${isPart ? conditionsText(places).replace('frames', 'frames asked') : 'frames asked'}`
}

function modeWordings(
  told: Told,
  { name, isOne, measure, is }: Phrases,
  { classes, count, of }: ResultOf<'mode'>,
): Wordings {
  const tied = tiedNames(classes)
  if (isOne) return `The ${measure} of ${name} ${is} ${tied}.`
  const those = `${groupedCount(of)} frames${of < told.typed.frames ? ' that record it' : ''}`
  const share = `${groupedCount(count)} of ${those}, ${percentText(count, of)} %`
  if (count === of) return `The ${measure} of ${name} ${is} ${tied}: ${share}.`
  if (classes.length > 1) return `Equally common as ${measure} of ${name} are ${tied}, each on ${share}.`
  return [
    `The most common ${measure} of ${name} is ${tied} (${share}).`,
    `${tied} is the most common ${measure} of ${name}: ${share}.`,
  ]
}

/** How a number is made stands behind or before its measure. */
const ORDER_WAYS: Readonly<Record<string, [behind: string, before: string]>> = {
  sum: [' in total', 'In total'],
  count: [' in total', 'In total'],
  mean: [' on average', 'On average'],
  area: [', averaged by area', 'Averaged by area'],
  weighted_mean: [', as a weighted average', 'As a weighted average'],
}

function amountWordings({ source, dataset }: Told, phrases: Phrases, number: string): Wordings {
  const { name, start, has, isOne, isThings, many, measure, is, amount, value, end } = phrases
  const { statistic, weight } = source
  const isTotal = statistic === 'sum' || statistic === 'count'
  const plain = `he ${measure} of ${name} ${is} ${value(number)}`
  if (statistic === 'extent') {
    const { kind, unit } = extentKind(dataset)
    return `The ${kind} of the ${many} inside ${name} is ${groupThousands(number)} ${unit}.`
  }
  if (isTotal && isThings) {
    if (number === '0') return [`${start} ${has} no ${many}${end}`, `There are no ${many} in ${name}${end}`]
    const there = `${number === '1' ? 'is' : 'are'} ${amount(number)} in ${name}${end}`
    return isOne
      ? [`${start} has ${amount(number)}${end}`, `There ${there}`]
      : [`${start} have ${amount(number)} in total${end}`, `In total, there ${there}`]
  }
  if (isThings && !isOne && (statistic === 'mean' || statistic === 'median')) {
    const per = `${amount(number)} per frame${end}`
    const other = `The ${statistic === 'mean' ? 'average' : 'median'} of ${name} is ${per}`
    return statistic === 'mean' ? [`On average, ${name} have ${per}`, other] : other
  }
  if (statistic === 'median' && !isOne) return `The median ${measure} of ${name} is ${value(number)}${end}`
  const way = ORDER_WAYS[statistic === 'weighted_mean' && weight === 'area' ? weight : statistic]
  if (!way || isOne) return `T${plain}${end}`
  return [`T${plain}${way[0]}${end}`, `${way[1]}, t${plain}${end}`]
}

function extremeWordings(told: Told, { number, at, others }: ResultOf<'extreme'>): Wordings {
  const isHighest = told.source.statistic === 'max'
  const { name, isOne, isThings, many, measure, is, value, end } = nounPhrases(told, true)
  const [last, least] = told.typed.named.isYear ? ['latest', 'earliest'] : ['highest', 'lowest']
  const order = isHighest ? last : least
  const amount = value(number)
  if (isOne) return `The ${measure} of ${name} ${is} ${amount}${end}`
  if (at === null) return `The ${order} ${measure} of ${name} is ${amount}${end}`
  const holder = holderText(at, others)
  const what = isThings ? `${isHighest ? 'most' : 'fewest'} ${many}` : `${order} ${measure}`
  return [
    `Of ${name}, ${holder} ${others === 0 ? 'has' : 'have'} the ${what}: ${amount}${end}`,
    `The ${order} ${isThings ? `number of ${many}` : measure} of ${name} is ${amount}, in ${holder}${end}`,
  ]
}

function ratioWordings(phrases: Phrases, { number, total, other, otherTotal, times }: ResultOf<'ratio'>): Wordings {
  const { name, start, has, isThings, measure, is, amount, value, end } = phrases
  const { per, amount: otherAmount } = nounsOf(other)
  const totals = `${amount(total)} and ${otherAmount(otherTotal)}${end}`
  if (number === null) return `The ${measure} of ${name} ${per(times)} ${is} not defined: there are ${totals}`
  return isThings
    ? `${start} ${has} ${amount(number)} ${per(times)}: ${totals}`
    : `The ${measure} of ${name} ${per(times)} ${is} ${value(number)}: ${totals}`
}

function changeWordings(
  { typed }: Told,
  { name, isOne, end: recorded }: Phrases,
  result: ResultOf<'change'>,
): Wordings {
  const { named } = typed
  const { from, to, other } = result
  const made = isOfFew(typed) && named.method !== undefined ? [named.method] : []
  const change = changeText(result, (number) => withUnit(number, named.unit)) + recorded
  const [start, end] = [withUnit(from, other.unit), withUnit(to, named.unit)]
  const [head = '', ...details] = named.label.split(', ')
  const [otherHead, ...otherDetails] = other.label.split(', ')
  const of = named.isSum ? 'total' : 'average'
  const [before, after] = [other, named].map((each) => nounsOf(each, isOne).measure)
  return head === otherHead && details.length > 0 && otherDetails.length > 0
    ? `The ${of} ${insideSentence(head)} of ${name} goes from ${start} (${[...otherDetails, ...made].join(', ')}) to ${end} (${[...details, ...made].join(', ')}): ${change}`
    : `From the ${of} ${before} of ${name}, ${start}, to their ${of} ${after}, ${end}, there is ${change}`
}

/**
 * Writes sentences of figures of each unit or class, and of frames that pass conditions: of those of the frames asked
 * that lie there, never of a whole unit.
 */
function groupWordings(told: Told, result: Extract<Result, Grouped>): Wordings {
  const { typed, source, dataset } = told
  const { by, per, all } = result
  const { name, has, isThings, many, isOne, value: valueOf, end: recorded } = nounPhrases(told)
  const rate = per ? ` ${nounsOf(per.other).per(per.times)}` : source.statistic === 'per_km2' ? ' per km²' : ''
  const measure = measureOfGroups(told, isOne) + (isThings ? rate : '')
  const isShare = source.statistic === 'portion'
  const value = (number: string) => {
    if (isShare) return `${number} %`
    return source.statistic === 'extent'
      ? withUnit(number, extentKind(dataset).unit)
      : valueOf(number) + (isThings ? '' : rate)
  }
  const kind = by.type === 'unit' ? insideSentence(by.label) : nounsOf(by).measure
  const placeOf = (group: string) => (by.type === 'unit' ? `in ${group}` : `where the ${kind} is ${group}`)
  const end = silentText(result) + recorded
  // A list of intervals stands beside the list of their totals.
  if (source.statistic === 'interval') return []
  switch (result.is) {
    case 'groups': {
      const list = result.ranked.map((each) => `${value(each.number)} ${placeOf(each.name)}`)
      const from = result.order === undefined ? '' : `, from the ${result.order},`
      const whose = isShare ? `that ${name} ${has}` : `of ${name}`
      return `By ${kind}, the ${measure} ${whose}${from} is ${rankedText(list, result, value)}${end}`
    }
    case 'group': {
      const { names, order, number } = result
      const isTotal = isThings && (source.statistic === 'sum' || source.statistic === 'count')
      const what = isTotal ? `the ${order === 'highest' ? 'most' : 'fewest'} ${many}` : `the ${order} ${measure}`
      const [first = '', ...others] = names.map((each) => `those ${placeOf(each)}`)
      const those =
        names.length > TIES_NAMED
          ? `${first} and in ${groupedCount(others.length)} others`
          : listText([first, ...others])
      const each = `${value(number)}${names.length === 1 ? '' : ' each'}${end}`
      if (isShare) return `Of ${name}, ${those} have ${what} there: ${each}`
      return [
        `Of ${name}, ${those} have ${what} of any ${kind}: ${each}`,
        `By ${kind}, ${those} have ${what} of ${name}: ${each}`,
      ]
    }
    case 'groups_passing': {
      const { test, names, count } = result
      const list = names.length === 0 || count === all ? '' : `: ${listText(names, count - names.length)}`
      const some = `${groupedCount(count)} of ${groupedCount(all)} ${pluralOf(by)}`
      return `By ${measure}, ${some} of ${name} are ${pluralOf(by)} ${passingWords(test, isShare ? { ...typed.named, unit: '%' } : typed.named)}${list}${end}`
    }
  }
}

/** Returns the words between "the" and "of": "average elevation". */
function measureOfGroups({ typed: { named }, source: { statistic }, dataset }: Told, isOfFrame: boolean): string {
  const { isThings, many, measure } = nounsOf(named, isOfFrame)
  const number = `number of ${many}`
  const [ofThings, ofValues] = GROUP_MEASURES[statistic] ?? ['X', 'X']
  if (statistic === 'extent') return `${extentKind(dataset).kind} of the ${many}`
  if (statistic === 'portion') return `share of ${isThings ? `all ${many}` : `the total ${measure}`}`
  return isThings ? ofThings.replace('X', number) : ofValues.replace('X', measure)
}

/** X is the number of things, or the measure of values that are no things. */
const GROUP_MEASURES: Readonly<Record<string, [ofThings: string, ofValues: string]>> = {
  sum: ['X', 'total X'],
  count: ['X', 'total X'],
  mean: ['average X per frame', 'average of the X'],
  weighted_mean: ['weighted average of the X', 'weighted average of the X'],
  per_km2: ['X', 'X'],
}

function passingWordings(told: Told, { ids, of, recorded, tests }: Extract<Result, { is: 'passing' }>): Wordings {
  const { name, start, isOne } = nounPhrases(told)
  const [first, ...others] = tests
  if (!first) return []
  const count = ids.length
  const list =
    count === 0 || count === of ? '' : `: ${listText(ids.slice(0, NAMED_MAX), Math.max(0, count - NAMED_MAX))}`
  const silent = of - recorded
  const end = `${silent === 0 ? '' : `; ${groupedCount(silent)} ${silent === 1 ? 'records' : 'record'} nothing`}.`
  // Who asks for the share of some frames gets it.
  const isOfWhole = told.typed.scope.length > 0
  const some = `${groupedCount(count)} of ${groupedCount(of)}${isOfWhole ? ` (${percentText(count, of)} %)` : ''}`
  // The check takes the number of a bound in the words of the label only.
  if (first.test.test === 'bounds' && others.length === 0)
    return `By ${nounsOf(first.named).measure}, ${some}${isOfWhole ? ` of ${name}` : ''} are frames ${passingWords(first.test, first.named)}${list}${end}`
  const among = `among the ${conditionsText(tests)}`
  if (isOne) return `${start} is ${count === 0 ? 'not ' : ''}${among}${end}`
  return `Of ${name}, ${count === 0 ? 'none' : some} ${count === 1 ? 'is' : 'are'} ${among}${list}${end}`
}

/** The units that frames lie in, and how many frames there are. */
function indexWordings(told: Told): Wordings {
  const { named, result, scope } = told.typed
  const { name, start, isOne } = nounPhrases(told)
  const unit = insideSentence(named.label)
  const lie = isOne ? 'lies' : 'lie'
  if (told.source.attribute === 'frame_id') {
    if (result.is !== 'amount' || told.source.statistic !== 'count') return []
    const isSingle = result.number === '1'
    const frames = `${groupedCount(Number(result.number))} ${isSingle ? 'frame' : 'frames'}`
    if (scope.length === 0) return `The figures here are of ${frames}.`
    return `There ${isSingle ? 'is' : 'are'} ${frames}${conditionsText(scope).replace(/^frames/, '')}.`
  }
  if (result.is === 'text') return `${start} ${lie} in the ${unit} ${result.value}.`
  if (result.is === 'amount') return `${start} ${lie} in ${groupedCount(Number(result.number))} ${unit}s.`
  if (result.is === 'names')
    return `The ${unit}s that ${name} lie in are ${listText(result.names, result.count - result.names.length)}.`
  if (result.is !== 'share') return []
  const { count, of, value } = result
  const some = `${groupedCount(count)} of ${groupedCount(of)} ${count === 1 ? 'lies' : 'lie'}`
  return `Of ${name}, ${some} in the ${unit} ${value} (${percentText(count, of)} %).`
}

/** A property has a value for each feature: its figures are of features, each counted once. */
function propertyWordings(told: Told): Wordings {
  const { named, result, recorded } = told.typed
  const { statistic } = told.source
  const { label, features = '' } = named
  const many = insideSentence(features)
  const one = singularName(many)
  const { name, isThings, amount, value } = nounPhrases(told, false)
  const counted = (number: number) => `${groupedCount(number)} ${number === 1 ? one : many}`
  const isPart = recorded && recorded.count < recorded.of
  const end = `${isPart ? `, recorded for ${recorded.count} of ${counted(recorded.of)}` : ''}.`
  if (result.is === 'recorded') return `In ${name}, ${result.count} of ${counted(result.of)} record ${label}.`
  if (result.is === 'amount') {
    if (statistic !== 'sum' && statistic !== 'mean') return []
    const number = result.number
    if (!isThings)
      return `Over the ${many} in ${name}, the ${statistic === 'sum' ? 'total' : 'average'} of ${label} is ${value(number)}${end}`
    return statistic === 'sum'
      ? `The ${many} in ${name} have ${amount(number)} in total${end}`
      : `On average, a ${one} in ${name} has ${amount(number)}${end}`
  }
  if (result.is === 'extreme') {
    const [last, least] = named.isYear ? ['latest', 'earliest'] : ['highest', 'lowest']
    const what = `${statistic === 'max' ? last : least} ${isThings ? `number of ${label}` : label}`
    return `The ${what} of a ${one} in ${name} is ${value(result.number)}, at ${result.at}${end}`
  }
  if (result.is === 'mode') {
    const { classes, count, of } = result
    const share = `${count} of ${counted(of)}, ${percentText(count, of)} %`
    return classes.length === 1
      ? `The most common ${label} of the ${many} in ${name} is ${tiedNames(classes)} (${share})${end}`
      : `Equally common as ${label} of the ${many} in ${name} are ${tiedNames(classes)}, each of ${share}${end}`
  }
  if (result.is !== 'share') return []
  const { value: shown, names = [], of, count } = result
  if (of === 0) return `There are no ${many} in ${name}, and so none with ${shown} as ${label}.`
  const list = names.length === 0 || count === of ? '' : `: ${listText(names, count - names.length)}`
  const isFlag = shown === 'true' || shown === 'false'
  const as = isFlag ? `as ${shown === 'true' ? '' : 'not '}${label}` : `with ${shown} as ${label}`
  return `Of ${counted(of)} in ${name}, ${count} ${count === 1 ? 'is' : 'are'} recorded ${as}${list}${end}`
}

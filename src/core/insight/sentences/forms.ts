/** Writes whole sentences of one figure. Each is true alone, wherever it stands. */
import { groupThousands } from '../../decimal.js'
import {
  changeText,
  countText,
  extentOf,
  holderText,
  insideSentence,
  listText,
  percentText,
  withUnit,
} from '../figures/figure-text.js'
import { INDEX } from '../figures/subject.js'
import type { Result } from '../figures/typed.js'
import { groupWordings, passingWordings } from './groups.js'
import { isOfFew } from '../figures/frame-set.js'
import { phrasesOf, rankedText, tiedNames, wordsOf, type Told, type Wordings } from './nouns.js'
import { indexWordings, propertyWordings } from './places.js'

type Of<Form extends Result['is']> = Extract<Result, { is: Form }>
type Phrases = ReturnType<typeof phrasesOf>

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
  return form?.(told, phrasesOf(told), result) ?? []
}

type Forms = { [Form in Result['is']]?: (told: Told, phrases: Phrases, result: Of<Form>) => Wordings }

/** Groups, and frames that pass conditions, have forms of their own. */
const FORMS: Forms = {
  amount: (told, phrases, { number }) => amountWordings(told, phrases, number),
  extreme: (told, _, result) => extremeWordings(told, result),
  ratio: (_, phrases, result) => ratioWordings(phrases, result),
  change: changeWordings,
  mode: modeWordings,
  range: (_, { measure, name, value, end }, { number, lowest, highest }) =>
    `The lowest and the highest ${measure} of ${name} differ by ${value(number)}: from ${value(lowest)} to ${value(highest)}${end}`,
  interval: ({ source: { of } }, phrases, { lower, upper, isOfDraws }) => {
    const { isThings, name, many, measure, is, has, amount, value, end } = phrases
    const rate = of === 'per_km2' ? ' per km²' : ''
    const between = (most: string) => `between ${groupThousands(lower)} and ${most}${rate}`
    if (!isOfDraws) return `The dataset puts the ${measure} of ${name} ${between(value(upper))}${end}`
    const all = isThings ? `the ${many}` : `the total ${measure}`
    if (of === 'portion')
      return `With a probability of 95 %, ${name} ${has} ${between(`${upper} %`)} of ${all} of the frames asked${end}`
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
    return `By ${wordsOf(typed.named, true).measure}, the ${order} of ${name} ${those}`
  },
  portion: (_, { start, has, isThings, many, measure, amount, end }, { percent, part, whole }) => {
    const all = isThings ? `the ${many}` : `the total ${measure}`
    const some = `${groupThousands(part)} of ${amount(whole)}`
    return `${start} ${has} ${percent} % of ${all} of the frames asked: ${some}${end}`
  },
  density: (_, { name, isThings, many, measure, is, value, end }, { number, total, area }) => {
    const land = `${value(total)} on ${groupThousands(area)} km²${end}`
    return isThings
      ? `There are ${groupThousands(number)} ${many} per km² in ${name}: ${land}`
      : `The ${measure} of ${name} ${is} ${value(number)} per km²: ${land}`
  },
  text: (_, { measure, name, is, end }, { value }) => `The ${measure} of ${name} ${is} ${value}${end}`,
  classes: (_, { measure, name, is }, { classes, of, more }) => {
    const shown = classes.map((each) => `${each.value} (${countText(each.count)} of ${countText(of)} frames)`)
    return `The ${measure} of ${name} ${is} recorded as ${listText(shown, more)}.`
  },
  names: (_, { start, has, many, name, amount }, { count, names }) => {
    if (count === 0) return `${start} ${has} no ${many}.`
    const list = names.length === 0 ? '' : `: ${listText(names, count - names.length)}`
    return `There ${count === 1 ? 'is' : 'are'} ${amount(String(count))} in ${name}${list}.`
  },
  share: ({ typed }, { isOne, measure, name }, { value, count, of }) => {
    if (isOne) return `The ${measure} of ${name} is ${count === 0 ? 'not ' : ''}${value}.`
    const some = `${countText(count)} of ${countText(of)}${of < typed.frames ? ' that record it' : ''}`
    return `Of ${name}, ${some} ${count === 1 ? 'has' : 'have'} ${value} as ${measure} (${percentText(count, of)} %).`
  },
  recorded: ({ typed }, { start, has, isOne, many, measure, name }, { count, of }) => {
    const some = `Of ${name}, ${countText(count)} of ${countText(of)}`
    const isOfFeatures = typed.named.type === 'features'
    if (count === 0)
      return `${start} ${isOfFeatures ? `${has} no ${many}` : `${isOne ? 'records' : 'record'} no ${measure}`}.`
    if (!isOfFeatures) return `${some} ${count === 1 ? 'records' : 'record'} the ${measure}.`
    return isOne ? `There are ${many} in ${name}.` : `${some} have ${many}.`
  },
}

function modeWordings(told: Told, { name, isOne, measure, is }: Phrases, { classes, count, of }: Of<'mode'>): Wordings {
  const tied = tiedNames(classes)
  if (isOne) return `The ${measure} of ${name} ${is} ${tied}.`
  const those = `${countText(of)} frames${of < told.typed.frames ? ' that record it' : ''}`
  const share = `${countText(count)} of ${those}, ${percentText(count, of)} %`
  if (count === of) return `The ${measure} of ${name} ${is} ${tied}: ${share}.`
  if (classes.length > 1) return `Equally common as ${measure} of ${name} are ${tied}, each on ${share}.`
  return [
    `The most common ${measure} of ${name} is ${tied} (${share}).`,
    `${tied} is the most common ${measure} of ${name}: ${share}.`,
  ]
}

/** How a number is made stands behind or before its measure. */
const WAYS: Readonly<Record<string, [behind: string, before: string]>> = {
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
    const { kind, unit } = extentOf(dataset)
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
  const way = WAYS[statistic === 'weighted_mean' && weight === 'area' ? weight : statistic]
  if (!way || isOne) return `T${plain}${end}`
  return [`T${plain}${way[0]}${end}`, `${way[1]}, t${plain}${end}`]
}

function extremeWordings(told: Told, { number, at, others }: Of<'extreme'>): Wordings {
  const isHighest = told.source.statistic === 'max'
  const { name, isOne, isThings, many, measure, is, value, end } = phrasesOf(told, true)
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

function ratioWordings(phrases: Phrases, { number, total, other, otherTotal, times }: Of<'ratio'>): Wordings {
  const { name, start, has, isThings, measure, is, amount, value, end } = phrases
  const { per, amount: otherAmount } = wordsOf(other)
  const totals = `${amount(total)} and ${otherAmount(otherTotal)}${end}`
  if (number === null) return `The ${measure} of ${name} ${per(times)} ${is} not defined: there are ${totals}`
  return isThings
    ? `${start} ${has} ${amount(number)} ${per(times)}: ${totals}`
    : `The ${measure} of ${name} ${per(times)} ${is} ${value(number)}: ${totals}`
}

function changeWordings({ typed }: Told, { name, isOne, end: recorded }: Phrases, result: Of<'change'>): Wordings {
  const { named } = typed
  const { from, to, other } = result
  const made = isOfFew(typed) && named.method !== undefined ? [named.method] : []
  const change = changeText(result, (number) => withUnit(number, named.unit)) + recorded
  const [start, end] = [withUnit(from, other.unit), withUnit(to, named.unit)]
  const [head = '', ...details] = named.label.split(', ')
  const [otherHead, ...otherDetails] = other.label.split(', ')
  const of = named.isSum ? 'total' : 'average'
  const [before, after] = [other, named].map((each) => wordsOf(each, isOne).measure)
  return head === otherHead && details.length > 0 && otherDetails.length > 0
    ? `The ${of} ${insideSentence(head)} of ${name} goes from ${start} (${[...otherDetails, ...made].join(', ')}) to ${end} (${[...details, ...made].join(', ')}): ${change}`
    : `From the ${of} ${before} of ${name}, ${start}, to their ${of} ${after}, ${end}, there is ${change}`
}

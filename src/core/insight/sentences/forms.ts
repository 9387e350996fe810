/** Writes whole sentences of one figure. Each is true alone, wherever it stands. */
import { groupThousands } from '../../decimal.js'
import { countText, holderText, insideSentence, listText, percentText, withUnit } from '../figures/figure-text.js'
import { INDEX } from '../figures/subject.js'
import type { Result } from '../figures/typed.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import { groupWordings, passingWordings } from './groups.js'
import {
  isOfFew,
  measureOf,
  nameText,
  namesText,
  othersOf,
  perName,
  phrasesOf,
  thingsOf,
  thingsText,
  tiedNames,
  valueOf,
  type Told,
  type Wordings,
} from './nouns.js'
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
  if (told.source.frameId !== undefined) return frameWordings(told, told.source.frameId)
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
  range: (_, { measure, name, value, rec }, { number, lowest, highest }) =>
    `The lowest and the highest ${measure} of ${name} differ by ${value(number)}: from ${value(lowest)} to ${value(highest)}${rec}.`,
  rank: ({ typed }, { name, value, rec }, { order, ranked, more, tied }) => {
    const list = listText(ranked.map((each) => `frame ${each.name} (${value(each.number)})`))
    const those = `${ranked.length === 1 ? 'is' : 'are'} ${list}${othersOf(more, tied, value)}${rec}.`
    return `By ${measureOf(typed.named, true)}, the ${order} of ${name} ${those}`
  },
  part: (_, { measure, name, amount, rec }, { frames, percent, part, whole }) => {
    const which = frames === 1 ? 'highest frame' : `${NUMBER_WORDS[frames] ?? frames} highest frames`
    const some = `${groupThousands(part)} of ${amount(whole)}`
    return `By ${measure}, the share of the ${which} in the total of ${name} is ${percent} %: ${some}${rec}.`
  },
  portion: (_, { start, has, things, many, measure, amount, rec }, { percent, part, whole }) => {
    const all = things ? `the ${many}` : `the total ${measure}`
    const some = `${groupThousands(part)} of ${amount(whole)}`
    return `${start} ${has} ${percent} % of ${all} of the frames asked: ${some}${rec}.`
  },
  density: (_, { name, things, many, measure, is, value, rec }, { number, total, area }) => {
    const land = `${value(total)} on ${groupThousands(area)} km²${rec}.`
    return things
      ? `There are ${groupThousands(number)} ${many} per km² in ${name}: ${land}`
      : `The ${measure} of ${name} ${is} ${value(number)} per km²: ${land}`
  },
  text: (_, { measure, name, is, rec }, { value }) => `The ${measure} of ${name} ${is} ${nameText(value)}${rec}.`,
  classes: (_, { measure, name, is }, { classes, of, more }) => {
    const shown = classes.map((each) => `${nameText(each.value)} (${countText(each.count)} of ${countText(of)} frames)`)
    const list = listText([...shown, ...(more > 0 ? [`${countText(more)} more`] : [])])
    return `The ${measure} of ${name} ${is} recorded as ${list}.`
  },
  names: (_, { start, has, many, name, amount }, { count, names }) => {
    if (count === 0) return `${start} ${has} no ${many}.`
    const list = names.length === 0 ? '' : `: ${namesText(names, count - names.length)}`
    return `There ${count === 1 ? 'is' : 'are'} ${amount(String(count))} in ${name}${list}.`
  },
  share: ({ typed }, { isOne, measure, name }, { value, count, of }) => {
    if (isOne) return `The ${measure} of ${name} is ${count === 0 ? 'not ' : ''}${nameText(value)}.`
    const some = `${countText(count)} of ${countText(of)}${of < typed.frames ? ' that record it' : ''}`
    const verb = count === 1 ? 'has' : 'have'
    return `Of ${name}, ${some} ${verb} ${nameText(value)} as ${measure} (${percentText(count, of)} %).`
  },
  recorded: ({ typed }, { start, has, isOne, many, measure, name }, { count, of }) => {
    const some = `Of ${name}, ${countText(count)} of ${countText(of)}`
    if (typed.named.type !== 'features')
      return count === 0
        ? `${start} ${isOne ? 'records' : 'record'} no ${measure}.`
        : `${some} ${count === 1 ? 'records' : 'record'} the ${measure}.`
    if (count === 0) return `${start} ${has} no ${many}.`
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

/** The figure is of one frame among several. */
function frameWordings(told: Told, frameId: string): Wordings {
  const { named, result } = told.typed
  const { things, amount, value, measure, is } = phrasesOf(told, true)
  if (result.is === 'text') return `The ${measure} of frame ${frameId} ${is} ${nameText(result.value)}.`
  if (result.is !== 'amount') return []
  if (named.type === 'features' && result.number === '0') return `Frame ${frameId} has no ${things?.many}.`
  return things
    ? `Frame ${frameId} has ${amount(result.number)}.`
    : `The ${measure} of frame ${frameId} ${is} ${value(result.number)}.`
}

/** An average that is not of things stands behind or before its measure. */
const AVERAGES: Readonly<Record<string, [behind: string, before: string]>> = {
  mean: [' on average', 'On average'],
  area: [', averaged by area', 'Averaged by area'],
  weighted_mean: [', as a weighted average', 'As a weighted average'],
}

function amountWordings({ source, dataset }: Told, phrases: Phrases, number: string): Wordings {
  const { name, start, has, isOne, things, many, measure, is, amount, value, rec } = phrases
  const { statistic, weight } = source
  const plain = `The ${measure} of ${name} ${is} ${value(number)}`
  if (statistic === 'odd') return `On ${number} of ${name}, what is recorded as ${measure} is not a number.`
  if (statistic === 'extent') {
    const [kind, unit] = dataset?.kind === 'lines' ? ['length', 'km'] : ['area', 'km²']
    return `The ${kind} of the ${things?.many} inside ${name} is ${groupThousands(number)} ${unit}.`
  }
  const isTotal = statistic === 'sum' || statistic === 'count'
  if (isTotal && things) {
    if (number === '0') return [`${start} ${has} no ${many}${rec}.`, `There are no ${many} in ${name}${rec}.`]
    const there = `${number === '1' ? 'is' : 'are'} ${amount(number)} in ${name}${rec}.`
    return isOne
      ? [`${start} has ${amount(number)}${rec}.`, `There ${there}`]
      : [`${start} have ${amount(number)} in total${rec}.`, `In total, there ${there}`]
  }
  if (isOne) return `${plain}${rec}.`
  if (isTotal) return [`${plain} in total${rec}.`, `In total, the ${measure} of ${name} ${is} ${value(number)}${rec}.`]
  if (statistic === 'mean' && things)
    return [
      `On average, ${name} have ${amount(number)} per frame${rec}.`,
      `The average of ${name} is ${amount(number)} per frame${rec}.`,
    ]
  if (statistic === 'median')
    return things
      ? `The median of ${name} is ${amount(number)} per frame${rec}.`
      : `The median ${measure} of ${name} is ${value(number)}${rec}.`
  const average = AVERAGES[statistic === 'weighted_mean' && weight === 'area' ? weight : statistic]
  if (!average) return `${plain}${rec}.`
  const [behind, before] = average
  return [`${plain}${behind}${rec}.`, `${before}, the ${measure} of ${name} ${is} ${value(number)}${rec}.`]
}

function extremeWordings(told: Told, { number, at, others }: Of<'extreme'>): Wordings {
  const isHighest = told.source.statistic === 'max'
  const { name, isOne, things, many, measure, is, value, rec } = phrasesOf(told, true)
  const [last, least] = told.typed.named.isYear ? ['latest', 'earliest'] : ['highest', 'lowest']
  const order = isHighest ? last : least
  const amount = value(number)
  if (isOne) return `The ${measure} of ${name} ${is} ${amount}${rec}.`
  if (at === null) return `The ${order} ${measure} of ${name} is ${amount}${rec}.`
  const holder = holderText(at, others)
  const what = things ? `${isHighest ? 'most' : 'fewest'} ${many}` : `${order} ${measure}`
  const measured = things ? `number of ${many}` : measure
  return [
    `Of ${name}, ${holder} ${others === 0 ? 'has' : 'have'} the ${what}: ${amount}${rec}.`,
    `The ${order} ${measured} of ${name} is ${amount}, in ${holder}${rec}.`,
  ]
}

function ratioWordings(phrases: Phrases, { number, total, other, otherTotal, times }: Of<'ratio'>): Wordings {
  const { name, start, has, things, measure, is, amount, value, rec } = phrases
  const per = perName(other, times)
  const others = thingsOf(other) ? thingsText(other, otherTotal) : valueOf(other, otherTotal)
  const totals = `${amount(total)} and ${others}${rec}.`
  if (number === null) return `The ${measure} of ${name} per ${per} ${is} not defined: there are ${totals}`
  return things
    ? `${start} ${has} ${amount(number)} per ${per}: ${totals}`
    : `The ${measure} of ${name} per ${per} ${is} ${value(number)}: ${totals}`
}

function changeWordings(
  { typed }: Told,
  { name, isOne, rec }: Phrases,
  { from, to, difference, percent, other }: Of<'change'>,
): Wordings {
  const { named } = typed
  const made = isOfFew(typed) && named.method !== undefined ? [named.method] : []
  const amount = withUnit(difference.replace('-', ''), named.unit)
  const part = percent === null ? '' : `, ${percent.replace('-', '')} %`
  const kind = difference.startsWith('-') ? 'a decrease' : 'an increase'
  const change = difference === '0' ? 'no change' : `${kind} of ${amount}${part}`
  const [start, end] = [withUnit(from, other.unit), withUnit(to, named.unit)]
  const [head = '', ...details] = named.label.split(', ')
  const [otherHead, ...otherDetails] = other.label.split(', ')
  const of = named.isSum ? 'total' : 'average'
  return head === otherHead && details.length > 0 && otherDetails.length > 0
    ? `The ${of} ${insideSentence(head)} of ${name} goes from ${start} (${[...otherDetails, ...made].join(', ')}) to ${end} (${[...details, ...made].join(', ')}): ${change}${rec}.`
    : `From the ${of} ${measureOf(other, isOne)} of ${name}, ${start}, to their ${of} ${measureOf(named, isOne)}, ${end}, there is ${change}${rec}.`
}

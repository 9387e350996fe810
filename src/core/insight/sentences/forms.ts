/** Writes whole sentences of one figure. Each is true alone, wherever it stands. */
import { groupThousands } from '../../decimal.js'
import { INDEX } from '../figures/subject.js'
import { countText, holderText, listText, percentText, withUnit, insideSentence } from '../figures/figure-text.js'
import { NUMBER_WORDS } from '../numbers/number-words.js'
import type { Result } from '../figures/typed.js'
import { groupWordings } from './groups.js'
import { measureOf, nameText, namesText, perName, thingsOf, thingsText, tiedNames, valueOf } from './nouns.js'
import { indexWordings, passingWordings, propertyWordings } from './places.js'
import { othersOf, phrasesOf, type Told, type Wordings } from './told.js'

type Of<Form extends Result['is']> = Extract<Result, { is: Form }>

export function wordingsOf(told: Told): string[] {
  const { source, typed } = told
  const { result, named } = typed
  if (source.by !== undefined) return [groupWordings(told)].flat()
  if (result.is === 'passing') return [passingWordings(told, result)].flat()
  const isOfUnits = named.type === 'unit' || source.attribute === 'frame_id'
  const own =
    source.layerId === INDEX.layerId && isOfUnits
      ? [indexWordings(told)].flat()
      : named.type === 'property'
        ? [propertyWordings(told)].flat()
        : []
  return own.length > 0 ? own : [wordingsOfResult(told, result)].flat()
}

function wordingsOfResult(told: Told, result: Result): Wordings {
  const { named } = told.typed
  if (told.source.frameId !== undefined) return frameWordings(told, told.source.frameId)
  const { name, start, has, things, many, measure, is, amount, value, rec } = phrasesOf(told)
  if (result.is === 'amount') return amountWordings(told, result.number)
  if (result.is === 'extreme') return extremeWordings(told, result)
  if (result.is === 'ratio') return ratioWordings(told, result)
  if (result.is === 'change') return changeWordings(told, result)
  if (result.is === 'range') {
    const [range, low, high] = [value(result.number), value(result.lowest), value(result.highest)]
    return `The lowest and the highest ${measure} of ${name} differ by ${range}: from ${low} to ${high}${rec}.`
  }
  if (result.is === 'rank') {
    const { order, ranked, more, tied } = result
    const list = listText(ranked.map((each) => `frame ${each.name} (${value(each.number)})`))
    const by = measureOf(named, true)
    return `By ${by}, the ${order} of ${name} ${ranked.length === 1 ? 'is' : 'are'} ${list}${othersOf(more, tied, value)}${rec}.`
  }
  if (result.is === 'part' || result.is === 'portion') {
    const { percent, part, whole } = result
    const some = `${groupThousands(part)} of ${amount(whole)}`
    if (result.is === 'portion') {
      const all = things ? `the ${many}` : `the total ${measure}`
      return `${start} ${has} ${percent} % of ${all} of the frames asked: ${some}${rec}.`
    }
    const { frames } = result
    const which = frames === 1 ? 'highest frame' : `${NUMBER_WORDS[frames] ?? frames} highest frames`
    return `By ${measure}, the share of the ${which} in the total of ${name} is ${percent} %: ${some}${rec}.`
  }
  if (result.is === 'density') {
    const land = `on ${groupThousands(result.area)} km²`
    return things
      ? `There are ${groupThousands(result.number)} ${many} per km² in ${name}: ${value(result.total)} ${land}${rec}.`
      : `The ${measure} of ${name} ${is} ${value(result.number)} per km²: ${value(result.total)} ${land}${rec}.`
  }
  return countWordings(told, result)
}

/** Writes sentences of classes, of names, and of how many frames record something. */
function countWordings(told: Told, result: Result): Wordings {
  const { named } = told.typed
  const { name, start, has, isOne, many, measure, is, amount, rec } = phrasesOf(told)
  if (result.is === 'mode') {
    const { classes, count, of } = result
    const tied = tiedNames(classes)
    if (isOne) return `The ${measure} of ${name} ${is} ${tied}.`
    const share = `${countText(count)} of ${countText(of)} frames${of < told.typed.frames ? ' that record it' : ''}, ${percentText(count, of)} %`
    if (count === of) return `The ${measure} of ${name} ${is} ${tied}: ${share}.`
    if (classes.length > 1) return `Equally common as ${measure} of ${name} are ${tied}, each on ${share}.`
    return [
      `The most common ${measure} of ${name} is ${tied} (${share}).`,
      `${tied} is the most common ${measure} of ${name}: ${share}.`,
    ]
  }
  if (result.is === 'share') {
    const { value: shown, count, of } = result
    if (isOne) return `The ${measure} of ${name} is ${count === 0 ? 'not ' : ''}${nameText(shown)}.`
    const some = `${countText(count)} of ${countText(of)}${of < told.typed.frames ? ' that record it' : ''}`
    const percent = percentText(count, of)
    return `Of ${name}, ${some} ${count === 1 ? 'has' : 'have'} ${nameText(shown)} as ${measure} (${percent} %).`
  }
  if (result.is === 'text') return `The ${measure} of ${name} ${is} ${nameText(result.value)}${rec}.`
  if (result.is === 'classes') {
    const shown = result.classes.map(
      (each) => `${nameText(each.value)} (${countText(each.count)} of ${countText(result.of)} frames)`,
    )
    return `The ${measure} of ${name} ${is} recorded as ${listText([...shown, ...moreOf(result.more)])}.`
  }
  if (result.is === 'recorded') {
    const { count, of } = result
    if (named.type !== 'features')
      return count === 0
        ? `${start} ${isOne ? 'records' : 'record'} no ${measure}.`
        : `Of ${name}, ${countText(count)} of ${countText(of)} ${count === 1 ? 'records' : 'record'} the ${measure}.`
    if (count === 0) return `${start} ${has} no ${many}.`
    return isOne ? `There are ${many} in ${name}.` : `Of ${name}, ${countText(count)} of ${countText(of)} have ${many}.`
  }
  if (result.is === 'names') {
    const { count, names } = result
    if (count === 0) return `${start} ${has} no ${many}.`
    const list = names.length === 0 ? '' : `: ${namesText(names, count - names.length)}`
    return `There ${count === 1 ? 'is' : 'are'} ${amount(String(count))} in ${name}${list}.`
  }
  // Sentences of groups of frames, and of conditions, are elsewhere.
  return []
}

const moreOf = (more: number) => (more > 0 ? [`${groupThousands(String(more))} more`] : [])

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

function amountWordings(told: Told, number: string): Wordings {
  const { name, start, has, isOne, things, many, measure, is, amount, value, rec } = phrasesOf(told)
  const { statistic, weight } = told.source
  const average = (how: string, before: string) => [
    `The ${measure} of ${name} ${is} ${value(number)}${how}${rec}.`,
    `${before}, the ${measure} of ${name} ${is} ${value(number)}${rec}.`,
  ]
  if (statistic === 'odd') return `On ${number} of ${name}, what is recorded as ${measure} is not a number.`
  if (statistic === 'extent') {
    const [kind, unit] = told.dataset?.kind === 'lines' ? ['length', 'km'] : ['area', 'km²']
    return `The ${kind} of the ${things?.many} inside ${name} is ${groupThousands(number)} ${unit}.`
  }
  if (statistic === 'sum' || statistic === 'count') {
    if (things && number === '0') return [`${start} ${has} no ${many}${rec}.`, `There are no ${many} in ${name}${rec}.`]
    const verb = number === '1' ? 'is' : 'are'
    if (things)
      return isOne
        ? [`${start} has ${amount(number)}${rec}.`, `There ${verb} ${amount(number)} in ${name}${rec}.`]
        : [
            `${start} have ${amount(number)} in total${rec}.`,
            `In total, there ${verb} ${amount(number)} in ${name}${rec}.`,
          ]
    if (!isOne)
      return [
        `The ${measure} of ${name} ${is} ${value(number)} in total${rec}.`,
        `In total, the ${measure} of ${name} ${is} ${value(number)}${rec}.`,
      ]
  }
  if (isOne) return `The ${measure} of ${name} ${is} ${value(number)}${rec}.`
  if (statistic === 'mean' && things)
    return [
      `On average, ${name} have ${amount(number)} per frame${rec}.`,
      `The average of ${name} is ${amount(number)} per frame${rec}.`,
    ]
  if (statistic === 'mean') return average(' on average', 'On average')
  if (statistic === 'weighted_mean')
    return weight === 'area'
      ? average(', averaged by area', 'Averaged by area')
      : average(', as a weighted average', 'As a weighted average')
  if (statistic === 'median')
    return things
      ? `The median of ${name} is ${amount(number)} per frame${rec}.`
      : `The median ${measure} of ${name} is ${value(number)}${rec}.`
  return `The ${measure} of ${name} ${is} ${value(number)}${rec}.`
}

function extremeWordings(told: Told, extreme: Of<'extreme'>): Wordings {
  const isHighest = told.source.statistic === 'max'
  const { name, isOne, things, many, measure, is, value, rec } = phrasesOf(told, true)
  const [last, least] = told.typed.named.isYear ? ['latest', 'earliest'] : ['highest', 'lowest']
  const order = isHighest ? last : least
  const amount = value(extreme.number)
  if (isOne) return `The ${measure} of ${name} ${is} ${amount}${rec}.`
  if (extreme.at === null) return `The ${order} ${measure} of ${name} is ${amount}${rec}.`
  const holder = holderText(extreme.at, extreme.others)
  const verb = extreme.others === 0 ? 'has' : 'have'
  if (!things)
    return [
      `Of ${name}, ${holder} ${verb} the ${order} ${measure}: ${amount}${rec}.`,
      `The ${order} ${measure} of ${name} is ${amount}, in ${holder}${rec}.`,
    ]
  return [
    `Of ${name}, ${holder} ${verb} the ${isHighest ? 'most' : 'fewest'} ${many}: ${amount}${rec}.`,
    `The ${order} number of ${many} of ${name} is ${amount}, in ${holder}${rec}.`,
  ]
}

function ratioWordings(told: Told, { number, total, other, otherTotal, times }: Of<'ratio'>): Wordings {
  const { name, start, has, things, measure, is, amount, value, rec } = phrasesOf(told)
  const others = thingsOf(other)
  const per = perName(other, times)
  const totals = `${amount(total)} and ${others ? thingsText(other, otherTotal) : valueOf(other, otherTotal)}`
  if (number === null) return `The ${measure} of ${name} per ${per} ${is} not defined: there are ${totals}${rec}.`
  return things
    ? `${start} ${has} ${amount(number)} per ${per}: ${totals}${rec}.`
    : `The ${measure} of ${name} per ${per} ${is} ${value(number)}: ${totals}${rec}.`
}

function changeWordings(told: Told, { from, to, difference, percent, other }: Of<'change'>): Wordings {
  const { named } = told.typed
  const { name, isOne, rec } = phrasesOf(told)
  const made = isOne && named.method !== undefined ? [named.method] : []
  const amount = withUnit(difference.replace('-', ''), named.unit)
  const part = percent === null ? '' : `, ${percent.replace('-', '')} %`
  const change =
    difference === '0'
      ? 'no change'
      : `${difference.startsWith('-') ? 'a decrease' : 'an increase'} of ${amount}${part}`
  const [start, end] = [withUnit(from, other.unit), withUnit(to, named.unit)]
  const [head = '', ...details] = named.label.split(', ')
  const [otherHead, ...otherDetails] = other.label.split(', ')
  const kind = named.isSum ? 'total' : 'average'
  return head === otherHead && details.length > 0 && otherDetails.length > 0
    ? `The ${kind} ${insideSentence(head)} of ${name} goes from ${start} (${[...otherDetails, ...made].join(', ')}) to ${end} (${[...details, ...made].join(', ')}): ${change}${rec}.`
    : `From the ${kind} ${measureOf(other, isOne)} of ${name}, ${start}, to their ${kind} ${measureOf(named, isOne)}, ${end}, there is ${change}${rec}.`
}

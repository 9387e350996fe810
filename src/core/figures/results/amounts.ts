/** Results that are one number: an amount, a rate, an extreme, and those that rank frames by their number. */
import { groupThousands } from '../../decimal.js'
import { numberWord, oneFeature, pluralOf, STATISTIC_LABELS } from '../facet-text.js'
import { extentKind, holderText, insideSentence, unnamedText, wholeText } from '../figure-text.js'
import { nounPhrases, nounsOf, rankedText, type Told, type Wordings } from '../nouns.js'
import { INDEX } from '../subject.js'
import { featurePhrases, isOfUnits, type Kind, labelled, type Phrases, plainLabel } from './kind.js'

export const amount: Kind<'amount'> = {
  label: (named) => {
    const { figure, subject, set } = named
    const { statistic } = figure
    const { dataset, summary, weight } = subject
    if (subject.named.type === 'unit' && statistic === 'count') return pluralOf(subject.named)
    if (statistic === 'extent') return labelled(named, `${extentKind(dataset).kind} inside the frames`)
    if (statistic === 'weighted_mean' && weight === 'area') return labelled(named, 'average by area')
    if (statistic !== 'mean') return plainLabel(named)
    if (subject.named.type === 'property') return labelled(named, `average per ${oneFeature(subject.named)}`)
    const isKept = set.place === undefined || summary === 'mean'
    return labelled(named, isKept && dataset?.kind === 'frames' ? 'average' : 'average per frame')
  },
  value: ({ figure, subject: { named, dataset } }, { number }, text) => {
    if (figure.statistic === 'extent') return `${groupThousands(number)} ${extentKind(dataset).unit}`
    return named.type === 'unit' ? `${number} ${pluralOf(named)}` : text(number)
  },
  sentences: (told, { number }, phrases) => {
    const { source, typed } = told
    if (isOfUnits(told)) {
      const units = `${groupThousands(number)} ${number === '1' ? insideSentence(typed.named.label) : pluralOf(typed.named)}`
      return phrases.isPlace ? `${phrases.start} has ${units}.` : `${phrases.start} ${phrases.lie} in ${units}.`
    }
    if (source.layerId === INDEX.layerId && source.attribute === 'frame_id' && source.statistic === 'count')
      return framesSentence(number, phrases)
    const isOfFeatures = typed.named.type === 'property' && ['sum', 'mean', 'median'].includes(source.statistic)
    return isOfFeatures ? propertySentence(told, number) : amountSentences(told, number, phrases)
  },
}

function framesSentence(number: string, { start, isPlace, counted }: Phrases): string {
  const frames = `${groupThousands(number)} ${number === '1' ? 'frame' : 'frames'}`
  if (isPlace) return `${start} has ${frames}.`
  const those = counted(Number(number))
  return those.startsWith('the ')
    ? `There ${number === '1' ? 'is' : 'are'} ${those.slice(4)}.`
    : `The figures here are of ${frames}.`
}

function propertySentence(told: Told, number: string): string {
  const { label, many, one, name, isThings, amount: amountOf, value, end } = featurePhrases(told)
  const { statistic } = told.source
  const isSum = statistic === 'sum'
  const measured = isThings ? `number of ${label}` : insideSentence(label)
  if (statistic === 'median') return `The median ${measured} of a ${one} in ${name} is ${value(number)}${end}`
  if (!isThings)
    return `The ${isSum ? 'total' : 'average'} ${measured} of the ${many} in ${name} is ${value(number)}${end}`
  return isSum
    ? `The ${many} in ${name} have ${amountOf(number)} in total${end}`
    : `On average, a ${one} in ${name} has ${amountOf(wholeText(number))}${end}`
}

/** How a number is made stands behind or before its measure. */
const ORDER_WAYS: Readonly<Record<string, [behind: string, before: string]>> = {
  sum: [' in total', 'In total'],
  count: [' in total', 'In total'],
  mean: [' on average', 'On average'],
  area: [', averaged by area', 'Averaged by area'],
  weighted_mean: [', as a weighted average', 'As a weighted average'],
}

function amountSentences(told: Told, number: string, phrases: Phrases): Wordings {
  const { name, start, has, isOne, isFrame, isThings, many, measure, is, amount: amountOf, value, end } = phrases
  const { statistic, weight } = told.source
  const isTotal = statistic === 'sum' || statistic === 'count'
  const plain = `he ${measure} of ${name} ${is} ${value(number)}`
  if (statistic === 'extent') {
    const { kind, unit } = extentKind(told.dataset)
    return `The ${kind} of the ${many} inside ${name} is ${groupThousands(number)} ${unit}.`
  }
  if (isTotal && isThings) {
    if (number === '0') return [`${start} ${has} no ${many}${end}`, `There are no ${many} in ${name}${end}`]
    const there = `${number === '1' ? 'is' : 'are'} ${amountOf(number)} in ${name}${end}`
    return isOne
      ? [`${start} has ${amountOf(number)}${end}`, `There ${there}`]
      : [`${start} have ${amountOf(number)} in total${end}`, `In total, there ${there}`]
  }
  if (isThings && !isFrame && (statistic === 'mean' || statistic === 'median')) {
    const per = `${amountOf(wholeText(number))} per frame${end}`
    const other = `The ${statistic === 'mean' ? 'average' : 'median'} of ${name} is ${per}`
    return statistic === 'mean' ? [`On average, ${name} ${has} ${per}`, other] : other
  }
  if (statistic === 'median' && !isFrame) return `The median ${measure} of ${name} is ${value(number)}${end}`
  const way = ORDER_WAYS[statistic === 'weighted_mean' && weight === 'area' ? weight : statistic]
  if (!way || isFrame) return `T${plain}${end}`
  return [`T${plain}${way[0]}${end}`, `${way[1]}, t${plain}${end}`]
}

const ordersOf = (isYear: boolean) => (isYear ? ['latest', 'earliest'] : ['highest', 'lowest'])

export const extreme: Kind<'extreme'> = {
  label: (named) => {
    const { figure, subject } = named
    const { type, isYear } = subject.named
    if (type !== 'property') return plainLabel(named)
    const [last, first] = ordersOf(isYear)
    if (isYear) return labelled(named, (figure.statistic === 'min' ? first : last) ?? '')
    return labelled(named, `${STATISTIC_LABELS[figure.statistic]} of a ${oneFeature(subject.named)}`)
  },
  value: ({ subject: { named } }, { number, at, others }, text) => {
    if (at === null) return text(number)
    return `${text(number)} ${named.type === 'property' ? `at ${at}` : `in ${holderText(at, others)}`}`
  },
  sentences: (told, { number, at, others }) => {
    const { named } = told.typed
    const isHighest = told.source.statistic === 'max'
    const [last, first] = ordersOf(named.isYear)
    const order = isHighest ? last : first
    if (named.type === 'property') {
      const { label, one, name, isThings, value, end } = featurePhrases(told)
      return `The ${order} ${isThings ? `number of ${label}` : label} of a ${one} in ${name} is ${value(number)}, at ${at}${end}`
    }
    const { name, frames, isFrame, isThings, many, measure, is, value, end } = nounPhrases(told, true)
    const shown = value(number)
    if (isFrame) return `The ${measure} of ${name} ${is} ${shown}${end}`
    if (at === null) return `The ${order} ${measure} of ${name} is ${shown}${end}`
    const holder = holderText(at, others)
    const what = isThings ? `${isHighest ? 'most' : 'fewest'} ${many}` : `${order} ${measure}`
    return [
      `Of ${frames}, ${holder} ${others === 0 ? 'has' : 'have'} the ${what}: ${shown}${end}`,
      `The ${order} ${isThings ? `number of ${many}` : measure} of ${name} is ${shown}, in ${holder}${end}`,
    ]
  },
}

export const range: Kind<'range'> = {
  label: plainLabel,
  value: (_, { number, lowest, highest }, text) => `${text(number)} (from ${text(lowest)} to ${text(highest)})`,
  sentences: (_, { number, lowest, highest }, { measure, name, value, end }) =>
    `The lowest and the highest ${measure} of ${name} differ by ${value(number)}: from ${value(lowest)} to ${value(highest)}${end}`,
}

export const rank: Kind<'rank'> = {
  label: (named) => {
    const { n, order } = named.figure
    return labelled(named, n === undefined ? `${order ?? 'highest'} first` : `${numberWord(n)} ${order}`)
  },
  value: (_, result, text) =>
    result.ranked.map(({ name, number }) => `frame ${name} (${text(number)})`).join(', ') + unnamedText(result, text),
  sentences: ({ typed }, { order, ranked, ...unnamed }, { isThings, many, measure, name, value, end }) => {
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
}

export const density: Kind<'density'> = {
  label: plainLabel,
  value: (_, { number, total, area }, text) =>
    `${text(number)} per km² (${text(total)} on ${groupThousands(area)} km²)`,
  sentences: (_, { number, total, area }, { name, isThings, many, measure, is, value, end }) => {
    const land = `${value(total)} on ${groupThousands(area)} km²${end}`
    return isThings
      ? `There are ${groupThousands(wholeText(number))} ${many} per km² in ${name}: ${land}`
      : `The ${measure} of ${name} ${is} ${value(number)} per km²: ${land}`
  },
}

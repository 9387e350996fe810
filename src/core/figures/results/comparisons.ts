/** Results that compare two numbers: a ratio, a change, a share of a whole, and the bounds of an interval. */
import { groupThousands } from '../../decimal.js'
import { amountText, changeLabel, perText, placeAndRest, RATES, STATISTIC_LABELS } from '../facet-text.js'
import { betweenText, changeText, insideSentence, wholeText, withUnit } from '../figure-text.js'
import { isOfFew } from '../frame-set.js'
import { nounsOf, type Told } from '../nouns.js'
import { type Kind, labelled, plainLabel } from './kind.js'

export const ratio: Kind<'ratio'> = {
  label: (named, { other, times }) => labelled(named, perText(other, times)),
  value: ({ subject: { named } }, { number, total, other, otherTotal, times }) => {
    const totals = `(${amountText(named, total)}, ${amountText(other, otherTotal)})`
    return number === null ? `not defined ${totals}` : `${amountText(named, number)} ${perText(other, times)} ${totals}`
  },
  sentences: (_, { number, total, other, otherTotal, times }, phrases) => {
    const { name, start, has, isThings, measure, is, amount, value, end } = phrases
    const { per, amount: otherAmount } = nounsOf(other)
    const totals = `${amount(total)} and ${otherAmount(otherTotal)}${end}`
    if (number === null) return `The ${measure} of ${name} ${per(times)} ${is} not defined: there are ${totals}`
    return isThings
      ? `${start} ${has} ${amount(wholeText(number))} ${per(times)}: ${totals}`
      : `The ${measure} of ${name} ${per(times)} ${is} ${value(number)}: ${totals}`
  },
}

const NO_DOUBT = 'the uncertainty of these modelled values is not recorded'

export const change: Kind<'change'> = {
  label: ({ subject: { label } }, { other }) => changeLabel(other.label, label),
  value: (_, result, text) =>
    `${changeText(result, text)} (from ${text(result.from)} to ${text(result.to)})${result.isModelled ? `; ${NO_DOUBT}` : ''}`,
  sentences: ({ typed }, result, { name, isFrame, end: recorded }) => {
    const { named } = typed
    const { from, to, other } = result
    const made = isOfFew(typed) && named.method !== undefined ? [named.method] : []
    const doubt = result.isModelled ? `; ${NO_DOUBT}` : ''
    const changed = changeText(result, (number) => withUnit(number, named.unit)) + doubt + recorded
    const [start, end] = [withUnit(from, other.unit), withUnit(to, named.unit)]
    const goes = result.difference === '0' ? 'stays' : result.difference.startsWith('-') ? 'falls' : 'rises'
    const [head = '', ...details] = named.label.split(', ')
    const [otherHead, ...otherDetails] = other.label.split(', ')
    const of = named.isSum ? 'total' : 'average'
    const [before, after] = [other, named].map((each) => nounsOf(each, isFrame).measure)
    return head === otherHead && details.length > 0 && otherDetails.length > 0
      ? `The ${of} ${insideSentence(head)} of ${name} ${goes} from ${start} (${[...otherDetails, ...made].join(', ')}) to ${end} (${[...details, ...made].join(', ')}): ${changed}`
      : `From the ${of} ${before} of ${name}, ${start}, to their ${of} ${after}, ${end}, there is ${changed}`
  },
}

/** A share of the people of a place is one of those who live there. */
function wholeOf({ scope, place: all = 'the frames asked' }: Told['typed']): string {
  const { place, rest } = placeAndRest(scope)
  return rest.length > 0 && place !== undefined ? place : all
}

export const portion: Kind<'portion'> = {
  label: plainLabel,
  value: ({ subject: { named } }, { percent, part, whole }) =>
    `${percent} % (${groupThousands(part)} of ${amountText(named, whole)})`,
  sentences: (told, { percent, part, whole }, { start, has, isThings, many, measure, amount, end }) => {
    const all = isThings ? `the ${many}` : `the total ${measure}`
    const some = `${groupThousands(part)} of ${amount(whole)}`
    return `${start} ${has} ${percent} % of ${all} of ${wholeOf(told.typed)}: ${some}${end}`
  },
}

/** A change that may be an increase or a decrease is no more than its doubt. */
function changeBounds({ lower, upper }: Record<'lower' | 'upper', string>, text: (decimal: string) => string): string {
  const isOfDoubt = lower.startsWith('-') !== upper.startsWith('-')
  const [least, most] = [lower, upper].map((difference) => changeText({ difference, percent: null }, text))
  return `between ${least} and ${most}${isOfDoubt ? ': within its uncertainty' : ''}`
}

export const interval: Kind<'interval'> = {
  label: (named, { isOfDraws, other }) => {
    const { of } = named.figure
    if (other) return `${changeLabel(other.label, named.subject.label)}, 95 % interval`
    return labelled(named, `${of ? `${STATISTIC_LABELS[of]}, ` : ''}${isOfDraws ? '95 % interval' : 'bounds'}`)
  },
  value: ({ figure: { of } }, { lower, upper, other }, text) =>
    other
      ? changeBounds({ lower, upper }, text)
      : betweenText(lower, (of === 'portion' ? upper : text(upper)) + (of ? RATES[of] : '')),
  sentences: (told, { lower, upper, isOfDraws, other }, phrases) => {
    const { of } = told.source
    if (other && lower === '0' && upper === '0') return []
    if (other) {
      const { label, unit } = told.typed.named
      const what = insideSentence(label.split(', ')[0] ?? '')
      const bounds = changeBounds({ lower, upper }, (number) => withUnit(number, unit))
      return `With a probability of 95 %, the change of the ${what} of ${phrases.name} lies ${bounds}${phrases.end}`
    }
    if (of === 'change') return []
    const { isThings, name, many, measure, is, has, amount, value, end } = phrases
    const rate = of === undefined || of === 'portion' ? '' : RATES[of]
    const between = (most: string) => betweenText(lower, most + rate)
    if (!isOfDraws) return `The dataset puts the ${measure} of ${name} ${between(value(upper))}${end}`
    const all = isThings ? `the ${many}` : `the total ${measure}`
    const likely = 'With a probability of 95 %,'
    if (of === 'portion')
      return `${likely} ${name} ${has} ${between(`${upper} %`)} of ${all} of ${wholeOf(told.typed)}${end}`
    return isThings
      ? `${likely} there are ${between(amount(upper))} in ${name}${end}`
      : `${likely} the ${measure} of ${name} ${is} ${between(value(upper))}${end}`
  },
}

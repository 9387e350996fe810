/** Results that name features, units, and frames that pass conditions. */
import {
  countedNoun,
  framesText,
  moreText,
  namesText,
  passingWords,
  placeAndRest,
  pluralOf,
  scopeOf,
} from '../facet-text.js'
import { capital, groupedCount, listText, percentText, shareText } from '../figure-text.js'
import { conditionsText, predicateText } from '../nouns.js'
import type { ResultOf, TypedFigure } from '../typed.js'
import { isOfUnits, type Kind, plainLabel } from './kind.js'

export const names: Kind<'names'> = {
  label: plainLabel,
  value: ({ subject: { named } }, { names: some, count }) =>
    named.type === 'unit'
      ? some.join('; ') + moreText(count - some.length)
      : countedNoun(String(count), named.features ?? named.label) + namesText(some, count),
  sentences: (told, { names: some, count }, { start, has, many, name, amount, isPlace }) => {
    const list = listText(some, count - some.length)
    if (isOfUnits(told)) return unitsSentence(told.typed, list, { start, name, isPlace })
    if (count === 0) return `${start} ${has} no ${many}.`
    return `There ${count === 1 ? 'is' : 'are'} ${amount(String(count))} in ${name}${some.length === 0 ? '' : `: ${list}`}.`
  },
}

function unitsSentence(
  { named }: TypedFigure,
  list: string,
  { start, name, isPlace }: { start: string; name: string; isPlace: boolean },
) {
  const units = pluralOf(named)
  return isPlace ? `${start} has these ${units}: ${list}.` : `The ${units} that ${name} lie in are ${list}.`
}

const silentFrames = ({ of, recorded }: ResultOf<'passing'>) =>
  of === recorded ? '' : `; ${groupedCount(of - recorded)} ${of - recorded === 1 ? 'records' : 'record'} nothing`

/** "2 of 9 frames, 22.2 %: 322074005, 322074006". Frames need no names where all of them pass. */
export const passing: Kind<'passing'> = {
  label: ({ subject: { label } }, { tests }) => {
    const [first] = tests
    if (tests.length === 1 && first) return `${label}, frames ${passingWords(first.test, first.named)}`
    const { place, rest } = placeAndRest(tests)
    return place === undefined ? `F${framesText(rest).slice(1)}` : `Frames ${scopeOf(tests).replace(', on frames', '')}`
  },
  value: (_, result) => {
    const { names: some, count, of } = result
    return shareText(count, of) + (count === of ? '' : namesText(some, count)) + silentFrames(result)
  },
  sentences: (told, result, { start, isFrame, counted: framesOf, all }) => {
    const { names: some, count, of, tests } = result
    const end = `${silentFrames(result)}.`
    if (tests.length === 0) return []
    const isOne = count === 1
    const { place, rest } = placeAndRest(tests)
    const passes = (one: boolean) =>
      [
        ...(place === undefined ? [] : [`${one ? 'lies' : 'lie'} in ${place}`]),
        ...rest.map((test) => predicateText(test, one)),
      ].join(' and ')
    if (isFrame)
      return count === 0
        ? `${start} is not among the frames ${conditionsText(tests)}${end}`
        : `${start} ${passes(true)}${end}`
    if (count === 0) return `None of ${framesOf(of)} ${passes(true)}${end}`
    if (count === of) return `${capital(all(of))} ${passes(false)}${end}`
    // A question about the share of some frames gets the percentage.
    const share = told.typed.scope.length > 0 ? ` (${percentText(count, of)} %)` : ''
    const named =
      count <= FRAMES_NAMED && some.length === count ? `: ${isOne ? 'frame' : 'frames'} ${listText(some)}` : ''
    return `${groupedCount(count)} of ${framesOf(of)} ${passes(isOne)}${share}${named}${end}`
  },
}

/** A sentence has the ids of so few frames. The facet has more. */
const FRAMES_NAMED = 3

/** Results that name features, units, and frames that pass conditions. */
import { countedNoun, moreText, namesText, passingWords, scopeOf } from '../facet-text.js'
import { groupedCount, insideSentence, listText, partText, percentText, shareText } from '../figure-text.js'
import { conditionsText, nounsOf, passingText } from '../nouns.js'
import type { ResultOf } from '../typed.js'
import { isOfUnits, type Kind, plainLabel } from './kind.js'

export const names: Kind<'names'> = {
  label: plainLabel,
  value: ({ subject: { named } }, { names: some, count }) =>
    named.type === 'unit'
      ? some.join('; ') + moreText(count - some.length)
      : countedNoun(String(count), named.features ?? named.label) + namesText(some, count),
  sentences: (told, { names: some, count }, { start, has, many, name, amount }) => {
    const list = listText(some, count - some.length)
    if (isOfUnits(told)) return `The ${insideSentence(told.typed.named.label)}s that ${name} lie in are ${list}.`
    if (count === 0) return `${start} ${has} no ${many}.`
    return `There ${count === 1 ? 'is' : 'are'} ${amount(String(count))} in ${name}${some.length === 0 ? '' : `: ${list}`}.`
  },
}

const silentFrames = ({ of, recorded }: ResultOf<'passing'>) =>
  of === recorded ? '' : `; ${groupedCount(of - recorded)} ${of - recorded === 1 ? 'records' : 'record'} nothing`

/** "2 of 9 frames, 22.2 %: 322074005, 322074006". Frames need no names where all of them pass. */
export const passing: Kind<'passing'> = {
  label: ({ subject: { label } }, { tests }) => {
    const [first] = tests
    if (tests.length === 1 && first) return `${label}, frames ${passingWords(first.test, first.named)}`
    return `F${scopeOf(tests).slice(1)}`
  },
  value: (_, result) => {
    const { names: some, count, of } = result
    return shareText(count, of) + (count === of ? '' : namesText(some, count)) + silentFrames(result)
  },
  sentences: (told, result, { name, start, isOne }) => {
    const { names: some, count, of, tests } = result
    const [first, ...others] = tests
    if (!first) return []
    const end = `${silentFrames(result)}.`
    // A question about the share of some frames gets the percentage.
    const isOfWhole = told.typed.scope.length > 0
    const counted = `${partText(count, of)}${isOfWhole ? ` (${percentText(count, of)} %)` : ''}`
    // The check takes the number of a bound in the words of the label only.
    if (first.test.test === 'bounds' && others.length === 0)
      return `By ${nounsOf(first.named).measure}, ${counted}${isOfWhole ? ` of ${name}` : ''} are frames ${passingWords(first.test, first.named)}${passingText(some, count, of)}${end}`
    const among = `among the frames ${conditionsText(tests)}`
    if (isOne) return `${start} is ${count === 0 ? 'not ' : ''}${among}${end}`
    return `Of ${name}, ${count === 0 ? 'none' : counted} ${count === 1 ? 'is' : 'are'} ${among}${passingText(some, count, of)}${end}`
  },
}

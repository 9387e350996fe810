/**
 * Writes sentences of figures of each unit or class, and of frames that pass conditions: of those of the frames asked
 * that lie there, never of a whole unit.
 */
import { NAMED_MAX, passingWords, pluralOf, silentText } from '../figures/facet-text.js'
import { countText, extentOf, insideSentence, listText, TIES_NAMED, withUnit } from '../figures/figure-text.js'
import type { Grouped, Result } from '../figures/typed.js'
import { conditionsText, phrasesOf, rankedText, wordsOf, type Told, type Wordings } from './nouns.js'

export function groupWordings(told: Told, result: Extract<Result, Grouped>): Wordings {
  const { typed, source, dataset } = told
  const { by, per, all } = result
  const { name, isThings, many, isOne, value: valueOf, end: recorded } = phrasesOf(told)
  const rate = per ? ` ${wordsOf(per.other).per(per.times)}` : source.statistic === 'per_km2' ? ' per km²' : ''
  const measure = measureOfGroups(told, isOne) + (isThings ? rate : '')
  const value = (number: string) =>
    source.statistic === 'extent' ? withUnit(number, extentOf(dataset).unit) : valueOf(number) + (isThings ? '' : rate)
  const kind = by.type === 'unit' ? insideSentence(by.label) : wordsOf(by).measure
  const placeOf = (group: string) => (by.type === 'unit' ? `in ${group}` : `where the ${kind} is ${group}`)
  const end = silentText(result) + recorded
  switch (result.is) {
    case 'groups': {
      const list = result.ranked.map((each) => `${value(each.number)} ${placeOf(each.name)}`)
      const from = result.order === undefined ? '' : `, from the ${result.order},`
      return `By ${kind}, the ${measure} of ${name}${from} is ${rankedText(list, result, value)}${end}`
    }
    case 'group': {
      const { names, order, number } = result
      const isTotal = isThings && (source.statistic === 'sum' || source.statistic === 'count')
      const what = isTotal ? `the ${order === 'highest' ? 'most' : 'fewest'} ${many}` : `the ${order} ${measure}`
      const [first = '', ...others] = names.map((each) => `those ${placeOf(each)}`)
      const those =
        names.length > TIES_NAMED ? `${first} and in ${countText(others.length)} others` : listText([first, ...others])
      const each = `${value(number)}${names.length === 1 ? '' : ' each'}${end}`
      return [
        `Of ${name}, ${those} have ${what} of any ${kind}: ${each}`,
        `By ${kind}, ${those} have ${what} of ${name}: ${each}`,
      ]
    }
    case 'groups_passing': {
      const { test, names, count } = result
      const list = names.length === 0 || count === all ? '' : `: ${listText(names, count - names.length)}`
      const some = `${countText(count)} of ${countText(all)} ${pluralOf(by)}`
      return `By ${measure}, ${some} of ${name} are ${pluralOf(by)} ${passingWords(test, typed.named)}${list}${end}`
    }
  }
}

/** Returns the words between "the" and "of": "average elevation". */
function measureOfGroups({ typed: { named }, source: { statistic }, dataset }: Told, isOfFrame: boolean): string {
  const { isThings, many, measure } = wordsOf(named, isOfFrame)
  const number = `number of ${many}`
  const [ofThings, ofValues] = GROUP_MEASURES[statistic] ?? ['X', 'X']
  if (statistic === 'extent') return `${extentOf(dataset).kind} of the ${many}`
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

export function passingWordings(
  told: Told,
  { ids, of, recorded, tests }: Extract<Result, { is: 'passing' }>,
): Wordings {
  const { name, start, isOne } = phrasesOf(told)
  const [first, ...others] = tests
  if (!first) return []
  const count = ids.length
  const list =
    count === 0 || count === of ? '' : `: ${listText(ids.slice(0, NAMED_MAX), Math.max(0, count - NAMED_MAX))}`
  const silent = of - recorded
  const end = `${silent === 0 ? '' : `; ${countText(silent)} ${silent === 1 ? 'records' : 'record'} nothing`}.`
  const some = `${countText(count)} of ${countText(of)}`
  // The check takes the number of a bound in the words of the label only.
  if (first.test.test === 'bounds' && others.length === 0)
    return `By ${wordsOf(first.named).measure}, ${some} are frames ${passingWords(first.test, first.named)}${list}${end}`
  const among = `among the ${conditionsText(tests)}`
  if (isOne) return `${start} is ${count === 0 ? 'not ' : ''}${among}${end}`
  return `Of ${name}, ${count === 0 ? 'none' : some} ${count === 1 ? 'is' : 'are'} ${among}${list}${end}`
}

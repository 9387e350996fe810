/**
 * Writes sentences of figures of each unit or class, and of frames that pass conditions: of those of the frames asked
 * that lie there, never of a whole unit.
 */
import { NAMED_MAX, passingWords, pluralOf } from '../figures/facet-text.js'
import { countText, insideSentence, listText, TIES_NAMED, withUnit } from '../figures/figure-text.js'
import type { FigureStatistic, Grouped, Named, NamedTest, Result } from '../figures/typed.js'
import {
  conditionsText,
  manyOf,
  measureOf,
  nameText,
  namesText,
  othersOf,
  perName,
  phrasesOf,
  thingsOf,
  tiedNames,
  valueOf,
  type Told,
  type Wordings,
} from './nouns.js'

export function groupWordings(told: Told, result: Extract<Result, Grouped>): Wordings {
  const { typed, source } = told
  const { named } = typed
  const { name, isOne, rec } = phrasesOf(told)
  const { by, silent, all } = result
  const isOfThings = thingsOf(named) !== undefined
  const rate = result.per ? ` per ${perName(result.per.other, result.per.times)}` : ''
  const perLand = source.statistic === 'per_km2' ? ' per km²' : ''
  const measure = measureOfGroups(told, isOne) + (isOfThings ? rate : '')
  const value = (number: string) =>
    source.statistic === 'extent'
      ? withUnit(number, extentOf(told).unit)
      : valueOf(named, number) + (isOfThings ? '' : perLand + rate)
  const nothing = silent === 0 ? '' : `; ${countText(silent)} of ${countText(all)} ${pluralOf(by)} record nothing`
  const end = `${nothing}${rec}.`
  switch (result.is) {
    case 'groups': {
      const { ranked, order, more, tied } = result
      const list = listText(ranked.map((each) => `${value(each.number)} ${placeOf(by, each.name)}`))
      const from = order === undefined ? '' : `, from the ${order},`
      return `By ${byText(by)}, the ${measure} of ${name}${from} is ${list}${othersOf(more, tied, value)}${end}`
    }
    case 'group': {
      const { names, order, number } = result
      const isTotal = isOfThings && (source.statistic === 'sum' || source.statistic === 'count')
      const most = order === 'highest' ? 'most' : 'fewest'
      const what = isTotal ? `the ${most} ${manyOf(named, isOne)}` : `the ${order} ${measure}`
      const those =
        names.length > TIES_NAMED
          ? `those ${placeOf(by, names[0] ?? '')} and in ${countText(names.length - 1)} others`
          : listText(names.map((each) => `those ${placeOf(by, each)}`))
      const each = `${value(number)}${names.length === 1 ? '' : ' each'}${end}`
      return [
        `Of ${name}, ${those} have ${what} of any ${byText(by)}: ${each}`,
        `By ${byText(by)}, ${those} have ${what} of ${name}: ${each}`,
      ]
    }
    case 'groups_passing': {
      const { test, names, count } = result
      const plural = pluralOf(by)
      const list = names.length === 0 || count === all ? '' : `: ${namesText(names, count - names.length)}`
      const some = `${countText(count)} of ${countText(all)} ${plural}`
      return `By ${measure}, ${some} of ${name} are ${plural} ${passingWords(test, named)}${list}${end}`
    }
    case 'modes': {
      const list = result.groups.map(({ name: group, classes, percent }) => {
        const each = classes.length > 1 ? ' each' : ''
        return `${tiedNames(classes)} ${placeOf(by, group)} (${percent} %${each})`
      })
      const others = othersOf(result.more, undefined, value)
      return `By ${byText(by)}, the most common ${measureOf(named)} of ${name} is ${listText(list)}${others}${end}`
    }
  }
}

const extentOf = ({ dataset }: Told) =>
  dataset?.kind === 'lines' ? { kind: 'length', unit: 'km' } : { kind: 'area', unit: 'km²' }

/** Returns the words between "the" and "of": "average elevation". */
function measureOfGroups(told: Told, isOfFrame: boolean): string {
  const { named } = told.typed
  const { statistic } = told.source
  if (statistic === 'extent') return `${extentOf(told).kind} of the ${manyOf(named, isOfFrame)}`
  const things = thingsOf(named)
  const measure = things ? `number of ${manyOf(named, isOfFrame)}` : measureOf(named, isOfFrame)
  const total = things ? measure : `total ${measure}`
  const forms: Partial<Record<FigureStatistic, string>> = {
    sum: total,
    count: total,
    mean: things ? `average ${measure} per frame` : `average of the ${measure}`,
    weighted_mean: `weighted average of the ${measure}`,
    per_km2: things ? `${measure} per km²` : measure,
    min: `lowest ${measure}${things ? ' in a frame' : ''}`,
    max: `highest ${measure}${things ? ' in a frame' : ''}`,
  }
  return forms[statistic] ?? measure
}

const byText = (by: Named) => (by.type === 'unit' ? insideSentence(by.label) : measureOf(by))
const placeOf = (by: Named, name: string) =>
  by.type === 'unit' ? `in ${nameText(name)}` : `where the ${measureOf(by)} is ${nameText(name)}`

export function passingWordings(
  told: Told,
  { ids, of, recorded, tests }: Extract<Result, { is: 'passing' }>,
): Wordings {
  const { name, start, isOne } = phrasesOf(told)
  const [first, ...others] = tests
  if (!first) return []
  const count = ids.length
  const named =
    count === 0 || count === of ? '' : `: ${namesText(ids.slice(0, NAMED_MAX), Math.max(0, count - NAMED_MAX))}`
  const silent = of - recorded
  const nothing = silent === 0 ? '' : `; ${countText(silent)} ${silent === 1 ? 'records' : 'record'} nothing`
  const some = `${countText(count)} of ${countText(of)}`
  // The check takes the number of a bound in the words of the label only.
  if (first.test.test === 'bounds' && others.length === 0)
    return `By ${measureOf(first.named)}, ${some} are frames ${passingWords(first.test, first.named)}${named}${nothing}.`
  if (isOne) return `${start} is ${count === 0 ? 'not ' : ''}among the ${conditionsText(tests)}${nothing}.`
  return `Of ${name}, ${count === 0 ? 'none' : some} ${passingVerb(tests, count)}${named}${nothing}.`
}

function passingVerb(tests: readonly NamedTest[], count: number): string {
  const [have, lie, are] = count === 1 ? ['has', 'lies', 'is'] : ['have', 'lie', 'are']
  const [{ named, test }, ...others] = tests as [NamedTest, ...NamedTest[]]
  if (others.length > 0 || named.type === 'property') return `${are} among the ${conditionsText(tests)}`
  if (named.type === 'unit' && 'value' in test)
    return `${lie} ${test.test === 'class' ? 'in' : 'outside'} ${nameText(test.value)}`
  const isCategory = named.type === 'category'
  const what = isCategory ? `record of the ${measureOf(named)}` : manyOf(named) || measureOf(named)
  if (test.test === 'class') return `${have} ${nameText(test.value)} as ${measureOf(named)}`
  if (test.test === 'not_class') return `${have} another ${measureOf(named)} than ${nameText(test.value)}`
  if (test.test === 'none') return count === 0 ? `are without ${what}` : `${have} no ${what}`
  const some = manyOf(named) === '' ? 'some ' : ''
  return `${have} ${count === 0 ? 'any ' : isCategory ? 'a ' : some}${what}`
}

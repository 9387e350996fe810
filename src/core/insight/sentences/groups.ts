/** Writes sentences of figures of each unit or class: of those of the frames asked that lie there, never of a whole unit. */
import { countText, listText, TIES_NAMED, withUnit, insideSentence } from '../figures/figure-text.js'
import { passingWords, pluralOf } from '../figures/facet-text.js'
import type { FigureStatistic, Named, Result } from '../figures/typed.js'
import { manyOf, measureOf, nameText, namesText, perName, thingsOf, tiedNames, valueOf } from './nouns.js'
import { othersOf, phrasesOf, type Told, type Wordings } from './told.js'

export function groupWordings(told: Told): Wordings {
  const { typed, source } = told
  const { named, result } = typed
  const { name, isOne, rec } = phrasesOf(told)
  const per = 'per' in result && result.per ? ` per ${perName(result.per.other, result.per.times)}` : ''
  const measure = measureOfGroups(told, isOne) + (thingsOf(named) ? per : '')
  const value = (number: string) =>
    source.statistic === 'extent'
      ? withUnit(number, extentOf(told).unit)
      : valueOf(named, number) + perLand(named, source.statistic) + (thingsOf(named) ? '' : per)
  if (result.is === 'groups') {
    const { by, ranked, order, more, tied } = result
    const list = listText(ranked.map((each) => `${value(each.number)} ${placeOf(by, each.name)}`))
    const from = order === undefined ? '' : `, from the ${order},`
    const end = `${othersOf(more, tied, value)}${silentText(result)}${rec}.`
    return `By ${byText(by)}, the ${measure} of ${name}${from} is ${list}${end}`
  }
  if (result.is === 'group') {
    const { by, names, order, number } = result
    const things = thingsOf(named) && TOTALS.includes(source.statistic)
    const most = order === 'highest' ? 'most' : 'fewest'
    const what = things ? `the ${most} ${manyOf(named, isOne)}` : `the ${order} ${measure}`
    const those =
      names.length > TIES_NAMED
        ? `those ${placeOf(by, names[0] ?? '')} and in ${countText(names.length - 1)} others`
        : listText(names.map((each) => `those ${placeOf(by, each)}`))
    const each = names.length === 1 ? '' : ' each'
    return [
      `Of ${name}, ${those} have ${what} of any ${byText(by)}: ${value(number)}${each}${silentText(result)}${rec}.`,
      `By ${byText(by)}, ${those} have ${what} of ${name}: ${value(number)}${each}${silentText(result)}${rec}.`,
    ]
  }
  if (result.is === 'groups_passing') {
    const { by, test, names, count, all } = result
    const plural = pluralOf(by)
    const list = names.length === 0 || count === all ? '' : `: ${namesText(names, count - names.length)}`
    return `By ${measure}, ${countText(count)} of ${countText(all)} ${plural} of ${name} are ${plural} ${passingWords(test, named)}${list}${silentText(result)}${rec}.`
  }
  if (result.is === 'modes') {
    const { by, groups, more } = result
    const list = groups.map(
      ({ name: group, classes, percent }) =>
        `${tiedNames(classes)} ${placeOf(by, group)} (${percent} %${classes.length > 1 ? ' each' : ''})`,
    )
    const end = `${othersOf(more, undefined, value)}${silentText(result)}${rec}.`
    return `By ${byText(by)}, the most common ${measureOf(named)} of ${name} is ${listText(list)}${end}`
  }
  return []
}

const extentOf = ({ dataset }: Told) =>
  dataset?.kind === 'lines' ? { kind: 'length', unit: 'km' } : { kind: 'area', unit: 'km²' }

const TOTALS: readonly FigureStatistic[] = ['sum', 'count']
const perLand = (named: Named, statistic: FigureStatistic) =>
  statistic === 'per_km2' && !thingsOf(named) ? ' per km²' : ''

/** Returns the words between "the" and "of": "average elevation". */
function measureOfGroups(told: Told, isOfFrame: boolean): string {
  const { named } = told.typed
  const { statistic } = told.source
  if (statistic === 'extent') return `${extentOf(told).kind} of the ${manyOf(named, isOfFrame)}`
  const things = thingsOf(named)
  const measure = things ? `number of ${manyOf(named, isOfFrame)}` : measureOf(named, isOfFrame)
  const forms: Partial<Record<FigureStatistic, string>> = {
    sum: things ? measure : `total ${measure}`,
    count: things ? measure : `total ${measure}`,
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

const silentText = (result: Extract<Result, { silent: number }>): string =>
  result.silent === 0
    ? ''
    : `; ${countText(result.silent)} of ${countText(result.all)} ${pluralOf(result.by)} record nothing`

/** Writes sentences of frames that pass conditions, of the units that frames lie in, and of the properties of features. */
import { groupThousands } from '../../decimal.js'
import { countText, percentText, insideSentence, singularName } from '../figures/figure-text.js'
import { NAMED_MAX, passingWords } from '../figures/facet-text.js'
import type { NamedTest, Result } from '../figures/typed.js'
import { conditionsText, manyOf, measureOf, nameText, namesText, tiedNames } from './nouns.js'
import { phrasesOf, type Told, type Wordings } from './told.js'

export function passingWordings(
  told: Told,
  { ids, of, recorded, tests }: Extract<Result, { is: 'passing' }>,
): Wordings {
  const { name, start, isOne } = phrasesOf(told)
  const [first, ...others] = tests
  if (!first) return []
  const count = ids.length
  const named =
    ids.length === 0 || ids.length === of ? '' : `: ${namesText(ids.slice(0, NAMED_MAX), ids.length - NAMED_MAX)}`
  const silent = of - recorded
  const nothing = silent === 0 ? '' : `; ${countText(silent)} ${silent === 1 ? 'records' : 'record'} nothing`
  const end = `${named}${nothing}.`
  // The check takes the number of a bound in the words of the label only.
  if (first.test.test === 'bounds' && others.length === 0) {
    const words = `frames ${passingWords(first.test, first.named)}`
    return `By ${measureOf(first.named)}, ${countText(count)} of ${countText(of)} are ${words}${end}`
  }
  if (isOne) return `${start} is ${count === 0 ? 'not ' : ''}among the ${conditionsText(tests)}${nothing}.`
  const verb = passingVerb(tests, count)
  return `Of ${name}, ${count === 0 ? 'none' : `${countText(count)} of ${countText(of)}`} ${verb}${end}`
}

function passingVerb(tests: readonly NamedTest[], count: number): string {
  const [have, lie, are] = count === 1 ? ['has', 'lies', 'is'] : ['have', 'lie', 'are']
  const [{ named, test }, ...others] = tests as [NamedTest, ...NamedTest[]]
  if (others.length > 0 || named.type === 'property') return `${are} among the ${conditionsText(tests)}`
  if (named.type === 'unit' && 'value' in test)
    return `${lie} ${test.test === 'class' ? 'in' : 'outside'} ${nameText(test.value)}`
  const what = named.type === 'category' ? `record of the ${measureOf(named)}` : manyOf(named) || measureOf(named)
  if (test.test === 'class') return `${have} ${nameText(test.value)} as ${measureOf(named)}`
  if (test.test === 'not_class') return `${have} another ${measureOf(named)} than ${nameText(test.value)}`
  if (test.test === 'none') return count === 0 ? `are without ${what}` : `${have} no ${what}`
  const some = manyOf(named) === '' ? 'some ' : ''
  return `${have} ${count === 0 ? 'any ' : named.type === 'category' ? 'a ' : some}${what}`
}

/** The units that frames lie in, and how many frames there are. */
export function indexWordings(told: Told): Wordings {
  const {
    typed: { named, result, scope },
    source,
  } = told
  const { name, start, isOne } = phrasesOf(told)
  const unit = insideSentence(named.label)
  if (source.attribute === 'frame_id') {
    if (result.is !== 'amount' || source.statistic !== 'count') return []
    const frames = `${groupThousands(result.number)} ${result.number === '1' ? 'frame' : 'frames'}`
    if (scope.length === 0) return `The figures here are of ${frames}.`
    const conditions = conditionsText(scope).replace(/^frames/, '')
    return `There ${result.number === '1' ? 'is' : 'are'} ${frames}${conditions}.`
  }
  if (result.is === 'text') return `${start} ${isOne ? 'lies' : 'lie'} in the ${unit} ${nameText(result.value)}.`
  if (result.is === 'amount') return `${start} ${isOne ? 'lies' : 'lie'} in ${groupThousands(result.number)} ${unit}s.`
  if (result.is === 'names')
    return `The ${unit}s that ${name} lie in are ${namesText(result.names, result.count - result.names.length)}.`
  if (result.is === 'share') {
    const { count, of, value } = result
    return `Of ${name}, ${countText(count)} of ${countText(of)} ${count === 1 ? 'lies' : 'lie'} in the ${unit} ${nameText(value)} (${percentText(count, of)} %).`
  }
  return []
}

/** A property has a value for each feature: its figures are of features, each counted once. */
export function propertyWordings(told: Told): Wordings {
  const {
    typed: { named, result, recorded },
    source,
  } = told
  const { label, features = '' } = named
  const many = insideSentence(features)
  const one = singularName(many)
  const { name, things, amount, value } = phrasesOf(told, false)
  const count = (number: number) => `${groupThousands(String(number))} ${number === 1 ? one : many}`
  const rec =
    recorded && recorded.count < recorded.of ? `, recorded for ${recorded.count} of ${count(recorded.of)}` : ''
  if (result.is === 'amount') {
    if (source.statistic === 'sum')
      return things
        ? `The ${many} in ${name} have ${amount(result.number)} in total${rec}.`
        : `Over the ${many} in ${name}, the total of ${label} is ${value(result.number)}${rec}.`
    if (source.statistic !== 'mean') return []
    return things
      ? `On average, a ${one} in ${name} has ${amount(result.number)}${rec}.`
      : `Over the ${many} in ${name}, the average of ${label} is ${value(result.number)}${rec}.`
  }
  if (result.is === 'extreme') {
    const isHighest = source.statistic === 'max'
    const order = named.isYear ? (isHighest ? 'latest' : 'earliest') : isHighest ? 'highest' : 'lowest'
    const what = things ? `number of ${label}` : label
    return `The ${order} ${what} of a ${one} in ${name} is ${value(result.number)}, at ${nameText(result.at ?? '')}${rec}.`
  }
  if (result.is === 'mode') {
    const { classes, of } = result
    const share = `${result.count} of ${count(of)}, ${percentText(result.count, of)} %`
    return classes.length === 1
      ? `The most common ${label} of the ${many} in ${name} is ${tiedNames(classes)} (${share})${rec}.`
      : `Equally common as ${label} of the ${many} in ${name} are ${tiedNames(classes)}, each of ${share}${rec}.`
  }
  if (result.is === 'share') {
    const { value: shown, names = [], of } = result
    if (of === 0) return `There are no ${many} in ${name}, and so none with ${nameText(shown)} as ${label}.`
    const list = names.length === 0 || result.count === of ? '' : `: ${namesText(names, result.count - names.length)}`
    const isFlag = shown === 'true' || shown === 'false'
    const is = result.count === 1 ? 'is' : 'are'
    const what = isFlag
      ? `${is} recorded as ${shown === 'true' ? '' : 'not '}${label}`
      : `${is} recorded with ${nameText(shown)} as ${label}`
    return `Of ${count(of)} in ${name}, ${result.count} ${what}${list}${rec}.`
  }
  if (result.is === 'recorded') return `In ${name}, ${result.count} of ${count(result.of)} record ${label}.`
  return []
}

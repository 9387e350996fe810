/** Writes sentences of the units that frames lie in, and of the properties of features. */
import { countText, insideSentence, listText, percentText, singularName } from '../figures/figure-text.js'
import { conditionsText, phrasesOf, tiedNames, type Told, type Wordings } from './nouns.js'

/** The units that frames lie in, and how many frames there are. */
export function indexWordings(told: Told): Wordings {
  const { named, result, scope } = told.typed
  const { name, start, isOne } = phrasesOf(told)
  const unit = insideSentence(named.label)
  const lie = isOne ? 'lies' : 'lie'
  if (told.source.attribute === 'frame_id') {
    if (result.is !== 'amount' || told.source.statistic !== 'count') return []
    const isSingle = result.number === '1'
    const frames = `${countText(Number(result.number))} ${isSingle ? 'frame' : 'frames'}`
    if (scope.length === 0) return `The figures here are of ${frames}.`
    return `There ${isSingle ? 'is' : 'are'} ${frames}${conditionsText(scope).replace(/^frames/, '')}.`
  }
  if (result.is === 'text') return `${start} ${lie} in the ${unit} ${result.value}.`
  if (result.is === 'amount') return `${start} ${lie} in ${countText(Number(result.number))} ${unit}s.`
  if (result.is === 'names')
    return `The ${unit}s that ${name} lie in are ${listText(result.names, result.count - result.names.length)}.`
  if (result.is !== 'share') return []
  const { count, of, value } = result
  const some = `${countText(count)} of ${countText(of)} ${count === 1 ? 'lies' : 'lie'}`
  return `Of ${name}, ${some} in the ${unit} ${value} (${percentText(count, of)} %).`
}

/** A property has a value for each feature: its figures are of features, each counted once. */
export function propertyWordings(told: Told): Wordings {
  const { named, result, recorded } = told.typed
  const { statistic } = told.source
  const { label, features = '' } = named
  const many = insideSentence(features)
  const one = singularName(many)
  const { name, isThings, amount, value } = phrasesOf(told, false)
  const counted = (number: number) => `${countText(number)} ${number === 1 ? one : many}`
  const isPart = recorded && recorded.count < recorded.of
  const end = `${isPart ? `, recorded for ${recorded.count} of ${counted(recorded.of)}` : ''}.`
  if (result.is === 'recorded') return `In ${name}, ${result.count} of ${counted(result.of)} record ${label}.`
  if (result.is === 'amount') {
    if (statistic !== 'sum' && statistic !== 'mean') return []
    const number = result.number
    if (!isThings)
      return `Over the ${many} in ${name}, the ${statistic === 'sum' ? 'total' : 'average'} of ${label} is ${value(number)}${end}`
    return statistic === 'sum'
      ? `The ${many} in ${name} have ${amount(number)} in total${end}`
      : `On average, a ${one} in ${name} has ${amount(number)}${end}`
  }
  if (result.is === 'extreme') {
    const [last, least] = named.isYear ? ['latest', 'earliest'] : ['highest', 'lowest']
    const what = `${statistic === 'max' ? last : least} ${isThings ? `number of ${label}` : label}`
    return `The ${what} of a ${one} in ${name} is ${value(result.number)}, at ${result.at}${end}`
  }
  if (result.is === 'mode') {
    const { classes, count, of } = result
    const share = `${count} of ${counted(of)}, ${percentText(count, of)} %`
    return classes.length === 1
      ? `The most common ${label} of the ${many} in ${name} is ${tiedNames(classes)} (${share})${end}`
      : `Equally common as ${label} of the ${many} in ${name} are ${tiedNames(classes)}, each of ${share}${end}`
  }
  if (result.is !== 'share') return []
  const { value: shown, names = [], of, count } = result
  if (of === 0) return `There are no ${many} in ${name}, and so none with ${shown} as ${label}.`
  const list = names.length === 0 || count === of ? '' : `: ${listText(names, count - names.length)}`
  const isFlag = shown === 'true' || shown === 'false'
  const as = isFlag ? `as ${shown === 'true' ? '' : 'not '}${label}` : `with ${shown} as ${label}`
  return `Of ${counted(of)} in ${name}, ${count} ${count === 1 ? 'is' : 'are'} recorded ${as}${list}${end}`
}

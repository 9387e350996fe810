/** Writes sentences of the units that frames lie in, and of the properties of features. */
import { groupThousands } from '../../decimal.js'
import { countText, insideSentence, percentText, singularName } from '../figures/figure-text.js'
import { conditionsText, nameText, namesText, phrasesOf, tiedNames, type Told, type Wordings } from './nouns.js'

/** The units that frames lie in, and how many frames there are. */
export function indexWordings(told: Told): Wordings {
  const { typed, source } = told
  const { named, result, scope } = typed
  const { name, start, isOne } = phrasesOf(told)
  const unit = insideSentence(named.label)
  const lie = isOne ? 'lies' : 'lie'
  if (source.attribute === 'frame_id') {
    if (result.is !== 'amount' || source.statistic !== 'count') return []
    const isSingle = result.number === '1'
    const frames = `${groupThousands(result.number)} ${isSingle ? 'frame' : 'frames'}`
    if (scope.length === 0) return `The figures here are of ${frames}.`
    return `There ${isSingle ? 'is' : 'are'} ${frames}${conditionsText(scope).replace(/^frames/, '')}.`
  }
  if (result.is === 'text') return `${start} ${lie} in the ${unit} ${nameText(result.value)}.`
  if (result.is === 'amount') return `${start} ${lie} in ${groupThousands(result.number)} ${unit}s.`
  if (result.is === 'names')
    return `The ${unit}s that ${name} lie in are ${namesText(result.names, result.count - result.names.length)}.`
  if (result.is !== 'share') return []
  const { count, of, value } = result
  const some = `${countText(count)} of ${countText(of)} ${count === 1 ? 'lies' : 'lie'}`
  return `Of ${name}, ${some} in the ${unit} ${nameText(value)} (${percentText(count, of)} %).`
}

/** A property has a value for each feature: its figures are of features, each counted once. */
export function propertyWordings(told: Told): Wordings {
  const { typed, source } = told
  const { named, result, recorded } = typed
  const { label, features = '' } = named
  const many = insideSentence(features)
  const one = singularName(many)
  const { name, things, amount, value } = phrasesOf(told, false)
  const counted = (number: number) => `${groupThousands(String(number))} ${number === 1 ? one : many}`
  const isPart = recorded && recorded.count < recorded.of
  const end = `${isPart ? `, recorded for ${recorded.count} of ${counted(recorded.of)}` : ''}.`
  if (result.is === 'recorded') return `In ${name}, ${result.count} of ${counted(result.of)} record ${label}.`
  if (result.is === 'amount') {
    const over = `Over the ${many} in ${name}, the`
    if (source.statistic === 'sum')
      return things
        ? `The ${many} in ${name} have ${amount(result.number)} in total${end}`
        : `${over} total of ${label} is ${value(result.number)}${end}`
    if (source.statistic !== 'mean') return []
    return things
      ? `On average, a ${one} in ${name} has ${amount(result.number)}${end}`
      : `${over} average of ${label} is ${value(result.number)}${end}`
  }
  if (result.is === 'extreme') {
    const [last, least] = named.isYear ? ['latest', 'earliest'] : ['highest', 'lowest']
    const what = `${source.statistic === 'max' ? last : least} ${things ? `number of ${label}` : label}`
    return `The ${what} of a ${one} in ${name} is ${value(result.number)}, at ${nameText(result.at ?? '')}${end}`
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
  if (of === 0) return `There are no ${many} in ${name}, and so none with ${nameText(shown)} as ${label}.`
  const list = names.length === 0 || count === of ? '' : `: ${namesText(names, count - names.length)}`
  const isFlag = shown === 'true' || shown === 'false'
  const as = isFlag ? `as ${shown === 'true' ? '' : 'not '}${label}` : `with ${nameText(shown)} as ${label}`
  return `Of ${counted(of)} in ${name}, ${count} ${count === 1 ? 'is' : 'are'} recorded ${as}${list}${end}`
}

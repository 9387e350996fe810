/** Results that are classes or count them: the most common, a share, all of them, the only one, and what is recorded. */
import { countedNoun, namesText } from '../facet-text.js'
import {
  capital,
  frameCountText,
  groupedCount,
  insideSentence,
  listText,
  partText,
  percentText,
  shareText,
  tiedNames,
  tiedText,
} from '../figure-text.js'
import { allOf, passingText, type Told } from '../nouns.js'
import type { Description } from '../subject.js'
import type { ResultOf } from '../typed.js'
import { featurePhrases, isOfUnits, type Kind, labelled, plainLabel } from './kind.js'

/** "12 of 30 schools" of a property, and "12 of 30 frames". */
const ofFeatures = ({ named: { features = '' } }: Description, count: number, of: number) =>
  `${count} of ${countedNoun(String(of), features)}`

export const mode: Kind<'mode'> = {
  label: plainLabel,
  value: ({ subject }, { classes, count, of }) => {
    const isProperty = subject.named.type === 'property'
    const share = isProperty ? `${ofFeatures(subject, count, of)}, ${percentText(count, of)} %` : shareText(count, of)
    return `${tiedText(classes)} (${share})`
  },
  sentences: (told, { classes, count, of }, { name, isFrame, measure, is, all: allFrames }) => {
    if (classes[0] === told.typed.place && count === of) return []
    const tied = tiedNames(classes)
    if (told.typed.named.type === 'property') {
      const { label, many, counted, end } = featurePhrases(told)
      const share = `${count} of ${counted(of)}, ${percentText(count, of)} %`
      const [first = ''] = classes
      if (classes.length === 1 && isFlag(first))
        return `${groupedCount(count)} of ${counted(of)} in ${name} are recorded as ${first === 'true' ? '' : 'not '}${label} (${percentText(count, of)} %)${end}`
      return classes.length === 1
        ? `The most common ${label} of the ${many} in ${name} is ${tied} (${share})${end}`
        : `Equally common as ${label} of the ${many} in ${name} are ${tied}, each of ${share}${end}`
    }
    if (isFrame) return `The ${measure} of ${name} ${is} ${tied}.`
    const isPart = of < told.typed.frames
    if (count === of)
      return isPart
        ? `The ${measure} of ${name} ${is} ${tied}, on ${of === 1 ? 'the only frame that records it' : `${allOf(of)} frames that record it`}.`
        : `The ${measure} of ${allFrames(of)} ${is} ${tied}.`
    const share = `${partText(count, of)} frames${isPart ? ' that record it' : ''}, ${percentText(count, of)} %`
    if (classes.length > 1) return `Equally common as ${measure} of ${name} are ${tied}, each on ${share}.`
    return [
      `${tied} is the most common ${measure} of ${name}: ${share}.`,
      `The most common ${measure} of ${name} is ${tied} (${share}).`,
    ]
  },
}

const isFlag = (value: string) => value === 'true' || value === 'false'

export const share: Kind<'share'> = {
  /** "Clinics, open at night" and "Clinics, not open at night". */
  label: (figured, { value }) => {
    const { label, named } = figured.subject
    if (named.type !== 'property' || !isFlag(value)) return labelled(figured, value)
    return value === 'true' ? label : `${named.features}, not ${named.label}`
  },
  value: ({ subject }, { count, of, names = [] }) =>
    subject.named.type === 'property'
      ? ofFeatures(subject, count, of) + (count === of ? '' : namesText(names, count))
      : shareText(count, of),
  sentences: (told, result, { isFrame, measure, name, counted: framesOf, all: allFrames }) => {
    const { named, frames } = told.typed
    const { value, count, of } = result
    if (named.type === 'property') return propertyShare(told, result)
    const record = of < frames ? ' that record it' : ''
    const those = record === '' ? framesOf(of) : framesOf(of).replace(/^these /, 'the ')
    const some = count === of ? allFrames(of) : `${count === 0 ? 'none' : groupedCount(count)} of ${those}`
    const percent = count === 0 || count === of ? '' : ` (${percentText(count, of)} %)`
    if (isOfUnits(told))
      return `${capital(some)} ${count === 1 || count === 0 ? 'lies' : 'lie'} in the ${insideSentence(named.label)} ${value}${percent}.`
    if (isFrame) return `The ${measure} of ${name} is ${count === 0 ? 'not ' : ''}${value}.`
    return `${value} is the ${measure} of ${some}${record}${percent}.`
  },
}

function propertyShare(told: Told, { value, names = [], of, count }: ResultOf<'share'>): string {
  const { label, many, name, counted, end } = featurePhrases(told)
  if (of === 0) return `There are no ${many} in ${name}, and so none with ${value} as ${label}.`
  const as = isFlag(value) ? `as ${value === 'true' ? '' : 'not '}${label}` : `with ${value} as ${label}`
  return `Of ${counted(of)} in ${name}, ${count} ${count === 1 ? 'is' : 'are'} recorded ${as}${passingText(names, count, of)}${end}`
}

export const classes: Kind<'classes'> = {
  label: plainLabel,
  value: (_, result) => [...countedClasses(result), ...(result.more > 0 ? [`${result.more} more`] : [])].join('; '),
  sentences: (_, result, { measure, name, is, end }) =>
    `The ${measure} of ${name} ${is} recorded as ${listText(countedClasses(result), result.more)}${end}`,
}

const countedClasses = ({ classes: some, of }: ResultOf<'classes'>) =>
  some.map(({ value, count }) => `${value} (${frameCountText(count, of)})`)

export const text: Kind<'text'> = {
  label: plainLabel,
  value: (_, { value }) => value,
  sentences: (told, { value }, { measure, name, start, lie, is, end }) =>
    isOfUnits(told)
      ? value === told.typed.place
        ? []
        : `${start} ${lie} in the ${insideSentence(told.typed.named.label)} ${value}.`
      : `The ${measure} of ${name} ${is} ${value}${end}`,
}

export const recorded: Kind<'recorded'> = {
  label: (named) => labelled(named, named.subject.named.type === 'features' ? 'frames that have any' : 'recorded on'),
  value: ({ subject }, { count, of }) =>
    subject.named.type === 'property' ? ofFeatures(subject, count, of) : frameCountText(count, of),
  sentences: (
    told,
    { count, of },
    { start, has, isFrame, isOne, many, measure, name, counted: framesOf, all: allFrames },
  ) => {
    const { type, label } = told.typed.named
    if (type === 'property') return `In ${name}, ${count} of ${featurePhrases(told).counted(of)} record ${label}.`
    const some = count === of ? capital(allFrames(of)) : `${groupedCount(count)} of ${framesOf(of)}`
    if (type !== 'features') {
      if (count === 0) return `${start} ${isOne ? 'records' : 'record'} no ${measure}.`
      return isFrame
        ? `${start} records the ${measure}.`
        : `${some} ${count === 1 ? 'records' : 'record'} the ${measure}.`
    }
    if (count === 0) return `${start} ${has} no ${many}.`
    return isFrame ? `There are ${many} in ${name}.` : `${some} ${count === 1 ? 'has' : 'have'} ${many}.`
  },
}

/** Results that are classes or count them: the most common, a share, all of them, the only one, and what is recorded. */
import { countedNoun, namesText } from '../facet-text.js'
import {
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
import { passingText, type Told } from '../nouns.js'
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
  sentences: (told, { classes, count, of }, { name, isOne, measure, is }) => {
    const tied = tiedNames(classes)
    if (told.typed.named.type === 'property') {
      const { label, many, counted, end } = featurePhrases(told)
      const share = `${count} of ${counted(of)}, ${percentText(count, of)} %`
      return classes.length === 1
        ? `The most common ${label} of the ${many} in ${name} is ${tied} (${share})${end}`
        : `Equally common as ${label} of the ${many} in ${name} are ${tied}, each of ${share}${end}`
    }
    if (isOne) return `The ${measure} of ${name} ${is} ${tied}.`
    const those = `${groupedCount(of)} frames${of < told.typed.frames ? ' that record it' : ''}`
    const share = `${groupedCount(count)} of ${those}, ${percentText(count, of)} %`
    if (count === of) return `The ${measure} of ${name} ${is} ${tied}: ${share}.`
    if (classes.length > 1) return `Equally common as ${measure} of ${name} are ${tied}, each on ${share}.`
    return [
      `The most common ${measure} of ${name} is ${tied} (${share}).`,
      `${tied} is the most common ${measure} of ${name}: ${share}.`,
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
  sentences: (told, result, { isOne, measure, name }) => {
    const { named, frames } = told.typed
    const { value, count, of } = result
    if (named.type === 'property') return propertyShare(told, result)
    const percent = `(${percentText(count, of)} %)`
    const some = `Of ${name}, ${partText(count, of)}`
    if (isOfUnits(told))
      return `${some} ${count === 1 ? 'lies' : 'lie'} in the ${insideSentence(named.label)} ${value} ${percent}.`
    if (isOne) return `The ${measure} of ${name} is ${count === 0 ? 'not ' : ''}${value}.`
    return `${some}${of < frames ? ' that record it' : ''} ${count === 1 ? 'has' : 'have'} ${value} as ${measure} ${percent}.`
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
      ? `${start} ${lie} in the ${insideSentence(told.typed.named.label)} ${value}.`
      : `The ${measure} of ${name} ${is} ${value}${end}`,
}

export const recorded: Kind<'recorded'> = {
  label: (named) => labelled(named, named.subject.named.type === 'features' ? 'frames that have any' : 'recorded on'),
  value: ({ subject }, { count, of }) =>
    subject.named.type === 'property' ? ofFeatures(subject, count, of) : frameCountText(count, of),
  sentences: (told, { count, of }, { start, has, isOne, many, measure, name }) => {
    const { type, label } = told.typed.named
    if (type === 'property') return `In ${name}, ${count} of ${featurePhrases(told).counted(of)} record ${label}.`
    const some = `Of ${name}, ${partText(count, of)}`
    const record = count === 1 || (count === 0 && isOne) ? 'records' : 'record'
    if (type !== 'features')
      return count === 0 ? `${start} ${record} no ${measure}.` : `${some} ${record} the ${measure}.`
    if (count === 0) return `${start} ${has} no ${many}.`
    return isOne ? `There are ${many} in ${name}.` : `${some} have ${many}.`
  },
}

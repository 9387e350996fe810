/** Says a figure of the algebra in a sentence: the words around its value. Undefined where its label says it better. */
import { LEVEL_NOUNS } from '../place.js'
import type { Figure, Measure, Subject } from './algebra.js'
import {
  boundsOfThings,
  boundsText,
  EXTENT,
  isByLand,
  filterText,
  type Labelled,
  type Names,
  rateText,
  thingsName,
} from './composed-text.js'
import { insideSentence, singularName } from './figure-text.js'
import { nameText, nounsOf } from './nouns.js'
import type { Said, SaidOf } from './typed.js'

export const NUMBER_OF = 'number of '
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

export function saidOf(own: Names, figure: Figure, measure: string | undefined): Said | undefined {
  const plain = (...args: Parameters<Names>): Labelled => plainLabel(own(...args))
  const names: Names = Object.assign(plain, { said: (inner: Figure) => subjectOf(names, inner) })
  const { of, op, to, by } = figure
  const one = phraseOf(names, of)
  if (one === undefined) return undefined
  if (by) return saidOfGroups(names, figure, { ...one, measure })
  const { head, scope, counted } = one
  const subject = joined(head, scope)
  if (of.how === 'mode') return { form: 'number', subject, counted }
  if (op === undefined) return { form: 'number', subject, counted: counted && measure === undefined }
  const other = to && phraseOf(names, to)
  if (!other) return undefined
  // "Than in N'Dara": the same is measured elsewhere.
  const isSame = other.head === head && other.scope !== '' && scope !== ''
  const than = isSame ? other.scope : `the ${joined(other.head, other.scope)}`
  switch (op) {
    case 'ratio': {
      const rate = rateText(labelledOf(names, to), figure.times, measure)
      return {
        form: 'number',
        subject: [subject, rate, ...(other.scope === '' || other.scope === scope ? [] : [other.scope])].join(' '),
        counted,
        ...(isByLand(figure) ? {} : { unit: measure ?? labelledOf(names, of).unit }),
      }
    }
    case 'difference':
      return {
        form: 'compared',
        subject,
        words: [`V more than ${than}`, `V less than ${than}`, `the same as ${isSame ? 'that ' : ''}${than}`],
      }
    case 'percent':
      return head.startsWith(NUMBER_OF) && other.head === head
        ? {
            form: 'number',
            subject: subject.slice(NUMBER_OF.length),
            counted: false,
            are: true,
            end: ` of all ${joined(head.slice(NUMBER_OF.length), other.scope)}`,
          }
        : { form: 'number', subject, counted: false, end: ` of ${isSame ? 'that ' : ''}${than}` }
    case 'change':
      return {
        form: 'compared',
        subject,
        words: [`V higher than ${than}`, `V lower than ${than}`, `the same as ${isSame ? 'that ' : ''}${than}`],
      }
    case 'sum':
      return { form: 'number', subject: subjectOf(names, figure) ?? subject, counted: areCounts(one, other) }
  }
}

const plainLabel = ({ label, ...more }: Labelled): Labelled => ({
  ...more,
  label: label.split(', ').map(nameText).join(', '),
})

/** The words of a figure without groups: "total population (2026 estimate)", "number of clinics per 10,000 people". */
function subjectOf(names: Names, { of, op, to, times }: Figure): string | undefined {
  const one = phraseOf(names, of)
  const other = to && phraseOf(names, to)
  if (!one || (op !== undefined && (!to || !other))) return undefined
  const subject = joined(one.head, one.scope)
  const than = other && joined(other.head, other.scope)
  switch (op) {
    case 'ratio':
      return to && joined(subject, rateText(labelledOf(names, to), times, undefined))
    case 'percent':
      return other?.head === one.head && other.scope === ''
        ? `share of the ${subject}`
        : `share of the ${subject} in the ${than}`
    case 'change':
      return changeSubject(subject, than ?? '')
    case 'difference':
      return `difference between the ${subject} and the ${than}`
    case 'sum':
      return areCounts(one, other)
        ? joined(one.head, 'and', other.head.slice(NUMBER_OF.length), one.scope)
        : `sum of the ${subject} and the ${than}`
    case undefined:
      return subject
  }
}

/** "number of schools and clinics" */
const areCounts = (one: Phrase, other: Phrase | undefined): other is Phrase =>
  other !== undefined && [one, other].every(({ head }) => head.startsWith(NUMBER_OF)) && one.scope === other.scope

/** "change in percent of the total population from 2025 estimate to 2026 estimate" */
function changeSubject(subject: string, than: string): string {
  const [own, other] = [subject, than].map((text) => /^(.*) \(([^()]*)\)(.*)$/.exec(text)?.slice(1) ?? [])
  const isSame = own?.[0] !== undefined && own[0] === other?.[0] && own[2] === other[2]
  return isSame
    ? `change in percent of the ${own[0]}${own[2]} from the ${other[1]} to the ${own[1]}`
    : `change in percent of the ${subject} since the ${than}`
}

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')

/** `counted`: the words name what the number counts, so it stands alone behind them. */
type Phrase = { head: string; scope: string; counted: boolean }

const HOW: Partial<Record<NonNullable<Measure['how']>, string>> = {
  sum: 'total', mean: 'average', weighted_mean: 'average', median: 'median', min: 'lowest', max: 'highest', mode: 'most common',
} // prettier-ignore

/** "number of clinics", "total population (2026 estimate)", "average number of pupils of schools". */
function phraseOf(names: Names, measure: Measure): Phrase | undefined {
  const { things = 'frames', subject, how, where, among } = measure
  if (subject?.figure) return ofUnits(names, measure, subject.figure)
  const layer = things.startsWith('lyr_') ? things : undefined
  const own = insideSentence(thingsName(names, things))
  const isFrames = things === 'frames'
  const place = [where, among].map((filter) =>
    filter && 'units' in filter && 'named' in filter ? filterText(names, filter) : undefined,
  )
  const scope = [
    ...(where ? [place[0] ?? filterText(names, where, isFrames ? undefined : things)] : []),
    ...(among ? [place[1] ?? `on frames ${filterText(names, among)}`] : []),
  ].join(' ')
  if (!subject)
    return how === undefined || how === 'count' ? { head: `number of ${own}`, scope, counted: true } : undefined
  if (subject.extent) {
    const [, kind = ''] = names({ of: things, name: EXTENT }).label.split(', ').slice(-2)
    return { head: `${kind} of ${own}`, scope, counted: false }
  }
  if (how === 'distinct') {
    const head = `number of classes of ${nounOf(names(subject, layer).label)}`
    return { head, scope: onFrames(scope, isFrames, place[0]), counted: true }
  }
  const isPlain = subject.of === 'frames' && how === 'sum'
  return {
    ...headOf(names, measure, subject, layer === undefined ? '' : ` of ${own}`),
    scope:
      isPlain && scope !== '' && place[0] === undefined
        ? `of the frames ${scope}`
        : onFrames(scope, isFrames && layer === undefined, place[0]),
  }
}

/** "average number of clinics of an LGA" */
function ofUnits(names: Names, { things = '', how, where, among }: Measure, figure: Figure): Phrase | undefined {
  const inner = figure.op === undefined ? phraseOf(names, figure.of) : undefined
  const unit = LEVEL_NOUNS[things as keyof typeof LEVEL_NOUNS]
  const mean = how === undefined ? undefined : HOW[how]
  if (!inner || mean === undefined || unit === undefined || where || (among && !('named' in among))) return undefined
  const scope = joined(inner.scope, among ? filterText(names, among) : '')
  const head = `${mean} ${inner.head} of ${unit === 'LGA' ? 'an' : 'a'} ${unit}`
  return { head, scope, counted: inner.counted }
}

/** "average number of pupils of schools", "10th percentile of the mean slope" */
function headOf(names: Names, { things = '', how, at = 0, weight }: Measure, subject: Subject, of: string) {
  const layer = of === '' ? undefined : things
  const { label, unit, named } = names(subject, layer)
  const property = layer === undefined ? label : label.split(', ').slice(1).join(', ')
  const counted = layer !== undefined && unit === property
  if (layer === undefined && how === 'sum' && unit === insideSentence(property))
    return { head: NUMBER_OF + unit, counted: true }
  const noun = named?.near === undefined ? nounOf(property) : nounsOf(named).measure
  const measured = counted ? `number of ${property}` : noun
  const statistic = how === 'quantile' ? `${Math.round(at * 1000) / 10}th percentile of the` : how && HOW[how]
  const isSaid =
    statistic === undefined ||
    (subject.of === 'frames' && how === 'sum') ||
    measured.startsWith(`${statistic} `) ||
    (statistic === 'average' && measured.startsWith('mean '))
  const weighting = weight && weight.of !== 'frames' ? `, weighted by ${nounOf(names(weight).label)},` : ''
  return { head: `${isSaid ? '' : `${statistic} `}${measured}${of}${weighting}`, counted }
}

const onFrames = (scope: string, isOfFrames: boolean, place: string | undefined) =>
  scope === '' || !isOfFrames || place !== undefined || scope.startsWith('in ') ? scope : `on frames ${scope}`

/** "population (2026 estimate)" */
function nounOf(label: string): string {
  const [first = '', ...details] = label.split(', ')
  return insideSentence(first) + (details.length === 0 ? '' : ` (${details.join(', ')})`)
}

function labelledOf(names: Names, { things = 'frames', subject }: Measure): Labelled {
  const layer = things.startsWith('lyr_') ? things : undefined
  const own = thingsName(names, things)
  if (subject?.extent) return names({ of: things, name: EXTENT })
  return subject ? names(subject, layer) : { label: own, unit: insideSentence(own) }
}

/** "By LGA, the number of schools is ...", "the LGAs with the lowest number of schools are ...". */
function saidOfGroups(
  names: Names,
  figure: Figure,
  { scope, counted, measure }: Phrase & { measure: string | undefined },
): Said | undefined {
  const { of, by, op, having, order, inEach, nth = 1 } = figure
  const subject = subjectOf(names, figure)
  if (!by || subject === undefined) return undefined
  // The words have what it is per.
  const inUnit = op === 'ratio' && !isByLand(figure) ? { unit: measure ?? labelledOf(names, of).unit } : {}
  const all = counted && (op === undefined || op === 'ratio' || (op === 'sum' && subject.startsWith(NUMBER_OF)))
  const ordered = (one: string, many: string, most: string): SaidOf<'list'> => {
    const each = inEach === undefined ? '' : ` in each ${LEVEL_NOUNS[inEach]}`
    const start = `the ${nth === 1 ? '' : `${ORDINALS[nth - 1] ?? `${nth}th`} `}${order} ${most}${each}`
    return { form: 'list', one: `the ${one} with ${start}`, many: `the ${many} with ${start}` }
  }
  if ('level' in by) {
    const unit = LEVEL_NOUNS[by.level]
    // "The wards in wards with a clinic" are the wards with a clinic.
    const own = scope.replace(new RegExp(`(^|, | and | or )in ${unit}s (?=with|where)`, 'g'), '$1')
    if (having && String(having.above) === '0' && of.how === 'count' && of.subject === undefined && order === undefined)
      return { form: 'list', one: `the ${joined(unit, own)}`, many: `the ${joined(`${unit}s`, own)}` }
    const test = having ? ` where the ${subject} is ${boundsText(having, null)}` : ''
    if (having && !order) return { form: 'list', one: `the ${unit}${test}`, many: `the ${unit}s${test}` }
    const list = order && ordered(unit, `${unit}s`, subject)
    if (list) return { ...list, ...(having && { none: `the ${unit}s${test}` }) }
    return { form: 'each', start: `by ${unit}, the ${subject}`, counted: all, ...inUnit }
  }
  if ('class' in by) {
    if (having) return undefined
    const noun = nounOf(names(by.class).label)
    return order
      ? ordered(noun, `classes of ${noun}`, subject)
      : { form: 'each', start: `by ${noun}, the ${subject}`, counted: all, ...inUnit }
  }
  if (!('each' in by) || op !== undefined || inEach !== undefined || (having && !of.subject)) return undefined
  const things = insideSentence(thingsName(names, of.things ?? 'frames'))
  const { label = '', unit = null } = of.subject ? names(of.subject, of.things) : {}
  const value = label.split(', ').slice(1).join(', ')
  const passing = counted ? `with ${having && boundsOfThings(having)} ${value}` : `whose ${nounOf(value)} is ${having && boundsText(having, unit)}` // prettier-ignore
  const limits = joined(scope, having ? passing : '')
  const [one, many] = [joined(singularName(things), limits), joined(things, limits)]
  if (order === undefined || having) return { form: 'list', one: `the ${one}`, many: `the ${many}` }
  return of.subject && ordered(one, many, counted ? `number of ${value}` : nounOf(value))
}

/** Says a figure of the algebra in a sentence: the words around its value. Undefined where its label says it better. */
import { defined } from '../defined.js'
import { isUnitLevel, levelNoun, levelPlural } from '../place.js'
import type { Figure, Measure, Subject } from './algebra.js'
import {
  boundsOfThings,
  boundsText,
  EXTENT,
  isByLand,
  moreText,
  filterText,
  type Labelled,
  type Names,
  rateText,
  thingsName,
} from './composed-text.js'
import { insideSentence, singularName, withArticle } from './figure-text.js'
import { nameText, nounsOf } from './nouns.js'
import type { GroupWords, Named, Said } from './typed.js'

export const NUMBER_OF = 'number of '
const ORDINALS = ['', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
/** "second", and nothing for the first. */
export const ordinalOf = (nth: number): string => ORDINALS[nth - 1] ?? `${nth}th`

function plainNames(own: Names): Names {
  const plain = (...args: Parameters<Names>): Labelled => plainLabel(own(...args))
  const names: Names = Object.assign(plain, { said: (inner: Figure) => subjectOf(names, inner) })
  return names
}

export function saidOf(own: Names, figure: Figure, measure: string | undefined): Said | undefined {
  const names = plainNames(own)
  const { of, op, to, by } = figure
  const one = phraseOf(names, of, op)
  if (one === undefined) return undefined
  const { head, scope, counted } = one
  if (by) return saidOfThings(names, figure, one)
  const subject = joined(head, scope)
  if (of.how === 'mode') return { form: 'number', subject, counted }
  if (op === undefined) return { form: 'number', subject, counted: counted && measure === undefined }
  const other = to && phraseOf(names, to, op)
  if (!other) return undefined
  // "Than in N'Dara": the same is measured elsewhere.
  const isSame = other.head === head && other.scope !== '' && scope !== ''
  const than = isSame ? other.scope : `the ${joined(other.head, other.scope)}`
  switch (op) {
    case 'ratio': {
      const rate = rateText(labelledOf(names, to), figure.times, measure)
      const { where: _where, among: _among, ...all } = of
      const things = thingsMeasured(names, all)
      const limits =
        withoutFrames(other.scope) === withoutFrames(scope) ? [rate, other.scope] : [scope, rate, other.scope]
      return {
        form: 'number',
        subject: joined(things ? NUMBER_OF + things.many : head, ...limits),
        counted: counted || things !== undefined,
        ...(isByLand(figure) ? {} : { unit: measure ?? labelledOf(names, of).unit }),
      }
    }
    case 'difference':
    case 'change': {
      const [above, below] = op === 'change' ? ['higher', 'lower'] : ['more', 'less']
      const same = `the same as ${isSame ? 'that ' : ''}${than}`
      return { form: 'compared', subject, words: [`V ${above} than ${than}`, `V ${below} than ${than}`, same] }
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
    case 'sum':
      return { form: 'number', subject: subjectOf(names, figure) ?? subject, counted: areCounts(one, other) }
  }
}

const plainText = (text: string) => text.split(', ').map(nameText).join(', ')
const plainLabel = ({ label, named, ...more }: Labelled): Labelled => ({
  ...more,
  label: plainText(label),
  ...(named && {
    named: JSON.parse(JSON.stringify(named), (_key, value: unknown) =>
      typeof value === 'string' ? plainText(value) : value,
    ) as Named,
  }),
})

/** The words of a figure without groups: "total population (2026 estimate)", "number of clinics per 10,000 people". */
function subjectOf(names: Names, { of, op, to, times }: Figure): string | undefined {
  const one = phraseOf(names, of, op)
  const other = to && phraseOf(names, to, op)
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
    ? `change in percent of the ${own[0]}${own[2]} from ${yearText(other[1])} to ${yearText(own[1])}`
    : `change in percent of the ${subject} since the ${than}`
}

/** "2014", "the 2025 estimate" */
const yearText = (detail = '') => (/^\d{4}$/.test(detail) ? detail : `the ${detail}`)
const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ')

/** `counted`: the words name what the number counts, so it stands alone behind them. */
type Phrase = { head: string; scope: string; counted: boolean }

const HOW: Partial<Record<NonNullable<Measure['how']>, string>> = {
  sum: 'total', mean: 'average', weighted_mean: 'average', median: 'median', min: 'lowest', max: 'highest', mode: 'most common',
} // prettier-ignore

/** "number of clinics", "total population (2026 estimate)", "average number of pupils of schools". */
function phraseOf(names: Names, measure: Measure, op?: Figure['op']): Phrase | undefined {
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
  if (subject.extent) return { head: `${extentOf(names, things)} of ${own}`, scope, counted: false }
  if (how === 'distinct') {
    const head = `number of classes of ${nounOf(names(subject, layer).label)}`
    return { head, scope: onFrames(scope, isFrames, place[0]), counted: true }
  }
  const isPlain = subject.of === 'frames' && how === 'sum'
  return {
    ...headOf(names, measure, { subject, of: layer === undefined ? '' : ` of ${own}`, op }),
    scope:
      isPlain && scope !== '' && place[0] === undefined
        ? `of the frames ${scope}`
        : onFrames(scope, isFrames && layer === undefined, place[0]),
  }
}

/** "average number of clinics of an LGA" */
function ofUnits(names: Names, { things = '', how, where, among }: Measure, figure: Figure): Phrase | undefined {
  const inner = figure.op === undefined ? phraseOf(names, figure.of) : undefined
  const unit = isUnitLevel(things) ? levelNoun(things) : undefined
  const mean = how === undefined ? undefined : HOW[how]
  if (!inner || mean === undefined || unit === undefined || where || (among && !('named' in among))) return undefined
  const scope = joined(inner.scope, among ? filterText(names, among) : '')
  const head = `${mean} ${inner.head} of ${unit === 'LGA' ? 'an LGA' : withArticle(unit)}`
  return { head, scope, counted: inner.counted }
}

/** "average number of pupils of schools", "10th percentile of the mean slope" */
type OfHead = { subject: Subject; of: string; op: Figure['op'] }
function headOf(names: Names, { things = '', how, at = 0, weight }: Measure, { subject, of, op }: OfHead) {
  const layer = of === '' ? undefined : things
  const { label, unit, named } = names(subject, layer)
  const property = insideSentence(layer === undefined ? label : label.split(', ').slice(1).join(', '))
  const counted = layer !== undefined && unit === property
  // A change is one of the population, and not of the number of people.
  const isCompared = op === 'change' || op === 'difference'
  const nouns = named && layer === undefined && how === 'sum' && !isCompared ? nounsOf(named) : undefined
  if (nouns?.isThings) return { head: NUMBER_OF + nouns.many, counted: true }
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

const withoutFrames = (scope: string) => scope.replace(/^(?:of the|on) frames /, '')
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

/** Of lines or of polygons. */
const extentOf = (names: Names, things = ''): keyof typeof SIZES =>
  names({ of: things, name: EXTENT }).label.endsWith(', length') ? 'length' : 'area'
const SIZES = {
  length: { highest: 'longest', lowest: 'shortest' },
  area: { highest: 'largest', lowest: 'smallest' },
} as const

/** "the school with the highest number of pupils", "the schools whose level is Secondary": frames and features. */
function saidOfThings(
  names: Names,
  { of, by, op, having, order, nth = 1 }: Figure,
  { scope, counted }: Phrase,
): Said | undefined {
  if (!by || !('each' in by) || op !== undefined || (having && !of.subject)) return undefined
  const things = insideSentence(thingsName(names, of.things ?? 'frames'))
  const { label = '', unit = null } = of.subject ? names(of.subject, of.things) : {}
  const value = insideSentence(label.split(', ').slice(1).join(', '))
  const passing = counted ? `with ${having && boundsOfThings(having)} ${value}` : `whose ${nounOf(value)} is ${having && boundsText(having, unit)}` // prettier-ignore
  const limits = joined(scope, having ? passing : '')
  const [one, many] = [joined(singularName(things), limits), joined(things, limits)]
  if (order === undefined || having) return { form: 'list', one: `the ${one}`, many: `the ${many}` }
  if (!of.subject) return undefined
  if (of.subject.extent) {
    const size = joined(ordinalOf(nth), SIZES[extentOf(names, of.things)][order])
    return { form: 'list', one: `the ${size} ${one}`, many: `the ${size} ${many}` }
  }
  const most = `the ${joined(ordinalOf(nth), order)} ${counted ? `number of ${value}` : nounOf(value)}`
  return { form: 'list', one: `the ${one} with ${most}`, many: `the ${many} with ${most}` }
}

/** `measure`: the unit of measure that the question names. `unit`: that of the value. */
type ToldIn = { measure: string | undefined; unit: string | null }

/** The words of a figure of units or classes. Undefined where its label says it better. */
export function groupWordsOf(own: Names, figure: Figure, { measure, unit }: ToldIn): GroupWords | undefined {
  const names = plainNames(own)
  const { of, op, to, by, having } = figure
  const [one, other] = [phraseOf(names, of), to && phraseOf(names, to)]
  const subject = subjectOf(names, figure)
  if (!one || subject === undefined) return undefined
  const unitsIn = by && 'level' in by ? `in ${levelPlural(by.level)} ` : ' '
  const more = having && by && 'level' in by ? moreText(names, { units: by.level, figure, ...having }) : undefined
  const things = measure === undefined || isByLand(figure) ? thingsOf(names, figure, measure) : undefined
  const part =
    op === 'percent' && other?.head === one.head && other.scope === '' ? thingsMeasured(names, of) : undefined
  const rest = one.scope === '' ? 'share of all' : 'share of'
  return {
    measure: things ? `number of ${things.many}` : part ? `${rest} ${part.many}` : subject,
    // The words have what it is per, and what it counts.
    unit:
      things || (one.counted && measure === undefined && (op === undefined || op === 'ratio'))
        ? null
        : op === 'ratio' && !isByLand(figure)
          ? (measure ?? labelledOf(names, of).unit)
          : unit,
    ...defined({
      things,
      per: op === 'ratio' && to ? thingsMeasured(names, to)?.many : undefined,
      more: more?.startsWith('with ') ? more.slice('with '.length) : undefined,
      those: things?.many.startsWith(`frames ${unitsIn}`)
        ? things.many
            .slice('frames '.length)
            .replaceAll(new RegExp(`(?<=^|, | and | or )${unitsIn}(?=with|where)`, 'g'), '')
        : undefined,
    }),
  }
}

type OneAndMany = NonNullable<GroupWords['things']>
const behind = ({ one, many }: OneAndMany, words: string): OneAndMany => ({ one: joined(one, words), many: joined(many, words) }) // prettier-ignore

/** "clinics per 10,000 people", "schools and clinics" */
function thingsOf(names: Names, { of, op, to, times }: Figure, measure: string | undefined): OneAndMany | undefined {
  const own = thingsMeasured(names, of)
  const [one, other] = [phraseOf(names, of), to && phraseOf(names, to)]
  if (op === undefined || !own || !to || !one || !other) return op === undefined ? own : undefined
  if (op === 'ratio')
    return behind(own, joined(rateText(labelledOf(names, to), times, measure), other.scope === one.scope ? '' : other.scope)) // prettier-ignore
  return op === 'sum' && areCounts(one, other) ? behind(own, `and ${other.head.slice(NUMBER_OF.length)}`) : undefined
}

/** "clinics with more than 5 beds", "people (2026 estimate)". Undefined where a measure counts no things. */
function thingsMeasured(names: Names, measure: Measure): OneAndMany | undefined {
  const { things = 'frames', subject, how = 'count' } = measure
  const phrase = phraseOf(names, measure)
  if (!phrase || subject?.extent || subject?.figure) return undefined
  const many = insideSentence(thingsName(names, things))
  if (!subject) return how === 'count' ? behind({ one: singularName(many), many }, phrase.scope) : undefined
  const { named } = names(subject, things)
  const nouns = named && how === 'sum' ? nounsOf(named) : undefined
  return nouns?.isThings ? behind({ one: nouns.amount('1').slice(2), many: nouns.many }, phrase.scope) : undefined
}

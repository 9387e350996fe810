/** What ties a word of a question to a plan, or to the grammar's figures: names, places, numbers, units of measure, and cues. */
import { unitOfMeasureNamed, type UnitOfMeasure } from '../../numbers/index.js'
import { isUnitLevel } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import type { Edge } from './chart.js'
import { type ClassNamed, NAMES, type PlaceNamed, type Token, topicsOf } from './tokens.js'
import type { PlanFacts } from './plan-facts.js'
import { canonical, numbersIn } from './plan-words.js'
import { hasYear, layerOf, sameSubject, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

/**
 * A figure or a test of a plan. `name` is what its words are read as: the first topic, or the first of the classes in
 * `values`. `does`: its statistic, arithmetic, order and comparison. `near`: its words are a name that is spelled so.
 */
export type PlanElement = {
  words: string
  name: string
  topics: readonly Topic[]
  values: readonly ClassNamed[]
  does: readonly string[]
  near?: string
}
/** `harmless`: words that the plan says carry nothing. `count`: how many figures it has. */
export type JudgedPlan = PlanFacts & {
  elements: readonly PlanElement[]
  harmless: readonly string[]
  count: number
}
/**
 * The words of a question, with what the catalogue, the index and the language know of them. `slips`: words that are
 * spelled nearly as the name of a place.
 */
export type JudgedQuestion = {
  question: string
  catalogue: Catalogue
  tokens: readonly Token[]
  edges: readonly Edge[]
  slips: readonly Edge[]
}
export type Judged = JudgedPlan & JudgedQuestion

export const JOINING: ReadonlySet<string> = new Set([
  'which', 'names', 'where', 'how', 'about', 'of', 'in', 'with', 'recording', 'and', 'but', 'lie', 'for', 'to', 'from', 'than', 'between',
  'frames', 'here', 'called', 'who', 'under', 'attend', 'through', 'covering', 'sort', 'record', 'belong',
]) // prettier-ignore

/** Where the question has one of these cues, the plan does one of these. */
const DONE_BY: Readonly<Record<string, readonly string[]>> = {
  count: ['count', 'sum', 'mean', 'weighted_mean', 'median', 'min', 'max', 'distinct', 'extent', 'land'],
  without: ['not'],
  not: ['not'],
  except: ['not'],
  outside: ['not'],
  neither: ['not'],
  nor: ['not'],
  notRecorded: ['not'],
  unrecorded: ['not'],
  notThat: ['not'],
  nobody: ['not'],
  inhabited: ['some', 'bound:above'],
  or: ['any', 'several'],
  either: ['any', 'several'],
  most: ['highest', 'max', 'mode'],
  highest: ['highest', 'max'],
  top: ['highest', 'lowest'],
  'most-of': ['highest', 'lowest', 'max', 'min'],
  least: ['lowest', 'min'],
  lowest: ['lowest', 'min'],
  bottom: ['lowest'],
  large: ['highest', 'max'],
  small: ['lowest', 'min'],
  long: ['highest'],
  short: ['lowest'],
  adjective: ['sum', 'mean', 'weighted_mean'],
  dense: ['density'],
  head: ['ratio'],
  rising: ['change', 'difference'],
  falling: ['change', 'difference'],
  compare: ['several', 'difference', 'highest'],
  size: ['land', 'extent'],
  inOrder: ['highest', 'lowest'],
  farthest: ['highest', 'near'],
  rank: ['highest', 'lowest'],
  share: ['percent'],
  percent: ['percent', 'change'],
  density: ['density'],
  ratio: ['ratio', 'percent'],
  difference: ['difference', 'change'],
  weighted: ['weight', 'weighted_mean'],
  weightedBefore: ['weight', 'weighted_mean'],
  distinct: ['distinct', 'grouped'],
  common: ['mode', 'highest', 'lowest'],
  change: ['change', 'difference', 'minus'],
  grow: ['change', 'difference', 'minus'],
  got: ['change', 'difference', 'minus'],
  bothYears: ['change', 'difference', 'minus'],
  loss: ['change', 'difference', 'minus'],
  gained: ['change', 'difference', 'minus'],
  fast: ['change'],
  absolute: ['difference', 'minus'],
  rare: ['lowest'],
  percentile: ['quantile'],
  inReverse: ['lowest'],
  bigger: ['several', 'difference'],
  away: ['near'],
  nearest: ['near'],
  total: ['sum', 'count', 'extent', 'land'],
  old: ['lowest', 'min'],
  young: ['highest', 'max'],
  after: ['bound:above'],
  before: ['bound:below'],
  average: ['mean', 'weighted_mean'],
  median: ['median'],
  land: ['land', 'mean', 'weighted_mean'],
  extent: ['extent'],
  per: ['ratio', 'grouped', 'mean', 'weighted_mean'],
  each: ['ratio', 'grouped', 'mean', 'weighted_mean'],
  by: ['ratio', 'grouped', 'each', 'several'],
  more: ['difference', 'minus', 'several', 'bound:above', 'bound:atLeast'],
  fewer: ['difference', 'minus', 'several', 'bound:below', 'bound:atMost'],
}

export function isTied(judged: Judged, { category, value, to }: Edge): boolean {
  const { does, numbers, elements } = judged
  if (JOINING.has(category)) return true
  if (isUnitLevel(category)) return does.has(`level:${category}`)
  if (category === 'bound' || category === 'boundBehind')
    return does.has(`bound:${value as string}`) || isOfGround(judged, to)
  if (category === 'more-than')
    return does.has('several') || does.has('difference') || does.has(`bound:${(value as { side: string }).side}`)
  if (category === 'number' || category === 'percentage') return numbers.includes(canonical(value as string))
  if (category === 'year') return elements.some(({ topics }) => topics.some((topic) => hasYear(topic, Number(value))))
  if (category === 'measure') return isOfUnit(judged, value as UnitOfMeasure)
  if (category === 'quantity') {
    const { number, unit } = value as { number: string; unit: UnitOfMeasure }
    return numbers.includes(canonical(number)) && isOfUnit(judged, unit)
  }
  if (category === 'place') return isOfPlace(judged, value as PlaceNamed)
  if (category === 'features') return isOfLayer(elements, value as Topic)
  if (NAMES.has(category)) return isTopicOrClass(elements, { category, value })
  if (category === 'ordinal') return does.has('nth') && numbers.includes(canonical(String(value)))
  return DONE_BY[category]?.some((done) => does.has(done)) ?? false
}

/** "Land under forest" has no bound. */
const isOfGround = ({ edges, elements }: Judged, at: number) =>
  edges.some(({ category, from, value }) => category === 'class' && from === at && isOfClass(elements, value as ClassNamed)) // prettier-ignore

/** "How many languages are spoken": the first word is a name of what the plan measures, and both are one of a category. */
export function isOfLongerName(judged: Judged, edge: Edge, at: number): boolean {
  if (!/^(series|category|property)$/.test(edge.category) || isTied(judged, edge)) return false
  const others = judged.tokens.flatMap(({ isFree }, i) => (i >= edge.from && i < edge.to && i !== at && !isFree ? [i] : [])) // prettier-ignore
  const isNamed = (i: number) =>
    judged.edges.some((each) => NAMES.has(each.category) && each.from <= i && i < each.to && isTied(judged, each))
  return others.length > 0 && others.every(isNamed) && topicsOf(edge).some((topic) => isOfLayer(judged.elements, topic))
}

/** "5 000" and "5.000" may be one number. The 3rd is one alone. */
export const isOfNumber = ({ numbers, question, does }: Judged, { word }: Token) =>
  /^\d/.test(word) &&
  (!/^\d+(st|nd|rd|th)$/.test(word) || does.has('nth') || does.has('quantile')) &&
  numbersIn(question).some(
    ({ text, values }) => plainWordsOf(text).includes(word) && values.some((value) => numbers.includes(value)),
  )

export const isOfLayer = (elements: readonly PlanElement[], wanted: Topic) =>
  elements.some(({ topics }) => topics.some((topic) => layerOf(topic) === layerOf(wanted)))
export const isTopicOf = (elements: readonly PlanElement[], { subject }: Topic) =>
  elements.some(({ topics }) => topics.some((topic) => sameSubject(topic.subject, subject)))
export const isTopicOrClass = (elements: readonly PlanElement[], edge: Pick<Edge, 'category' | 'value'>): boolean =>
  edge.category.endsWith('class')
    ? isOfClass(elements, edge.value as ClassNamed)
    : topicsOf(edge).some((topic) => isTopicOf(elements, topic))
const isOfClass = (elements: readonly PlanElement[], { topic, value }: ClassNamed) =>
  elements.some(({ values }) => values.some((own) => own.value === value && sameSubject(own.topic.subject, topic.subject))) // prettier-ignore
const isOfUnit = ({ units, elements }: Judged, { name }: UnitOfMeasure) =>
  units.some((unit) => unit.name === name) ||
  (units.length === 0 && elements.some(({ topics }) => topics.some((topic) => unitOfMeasureNamed(topic.unit)?.name === name))) // prettier-ignore

/** A slip of the keyboard stands in the question, and what it is read as beside it. */
export const hasWord = (texts: readonly string[], { word, text: own }: Token) =>
  texts.some((text) => [word, ...plainWordsOf(own)].some((each) => plainWordsOf(text).includes(each)))
/** "Lagoon" of "Lagoon LGA". */
const isOfPlace = ({ places }: Judged, { text, levels }: PlaceNamed) => {
  const words = plainWordsOf(text)
  return places.some(
    (place) =>
      words.every((word) => plainWordsOf(place).includes(word)) || levels.some(({ names }) => names.includes(place)),
  )
}

/** The names of what the plan computes have the word. */
export function isOfNames(
  { elements, catalogue: { stemOf } }: Pick<Judged, 'elements' | 'catalogue'>,
  { word }: Token,
): boolean {
  const names = elements.flatMap(({ topics, values }) => [
    ...values.map(({ value }) => value),
    ...topics.flatMap(({ label, unit = '', names: own, datasetNames }) => [label, unit, ...own, ...datasetNames]),
  ])
  return names.flatMap(plainWordsOf).some((each) => stemOf(each) === stemOf(word))
}

/** "Population-weighted": the word says what the plan does. */
export const isOfWhatItDoes = ({ elements }: Judged, { word }: Token) =>
  elements.flatMap(({ does }) => does).some((fact) => plainWordsOf(DOES_TEXT[fact] ?? '').includes(word))

/** What a cue of the question asks for; some cues ask for nothing certain. */
export const saidBy = ({ category, value }: Edge): readonly string[] =>
  /^(count|land|per|each|by)$/.test(category)
    ? []
    : category === 'bound' || category === 'boundBehind'
      ? [`bound:${value as string}`]
      : category === 'more-than'
        ? [`bound:${(value as { side: string }).side}`, 'difference']
        : (DONE_BY[category] ?? [])
/** "Read 'rarest' as 'lowest'". */
export const DOES_TEXT: Readonly<Record<string, string>> = {
  mean: 'average',
  weighted_mean: 'average',
  median: 'median',
  quantile: 'percentile',
  mode: 'most common',
  distinct: 'number of classes',
  percent: 'share',
  ratio: 'ratio',
  change: 'change in percent',
  difference: 'difference',
  weight: 'weighted',
  extent: 'length or area',
  highest: 'highest',
  lowest: 'lowest',
  max: 'highest',
  min: 'lowest',
  near: 'distance',
  not: 'without',
  'bound:above': 'more than',
  'bound:atLeast': 'at least',
  'bound:below': 'less than',
  'bound:atMost': 'at most',
  'bound:equals': 'exactly',
  recorded: 'recorded',
}

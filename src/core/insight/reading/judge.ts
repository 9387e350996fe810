/**
 * Holds a plan to the words of its question. Each word that tells something is tied to the plan by a name of the
 * catalogue, a place of the index, a number, a unit of measure or a cue, or the plan says that nothing answers it. What
 * only the plan ties to a name is quoted, so that the reader sees what was read as what. A plan that drops a word which
 * changes the figure is refused.
 */
import { unitOfMeasureNamed, type UnitOfMeasure } from '../../numbers/index.js'
import { isUnitLevel } from '../../place.js'
import type { Edge } from './chart.js'
import type { Catalogue } from './catalogue.js'
import type { ClassNamed, PlaceNamed, Token } from './lexicon.js'
import type { PlanFacts } from './plan-facts.js'
import { canonical, numbersIn, refuseIf } from './plan-words.js'
import type { ReadAs } from './reading.js'
import { hasYear, layerOf, sameSubject, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

/** A figure or a test of a plan. `name` is what its words are read as; `values` are classes. */
export type PlanElement = { words: string; name: string; topics: readonly Topic[]; values: readonly ClassNamed[] }
/** `harmless`: words that the plan says carry nothing. */
export type JudgedPlan = PlanFacts & { elements: readonly PlanElement[]; harmless: readonly string[] }
/** The words of a question, with what the catalogue, the index and the language know of them. */
export type JudgedQuestion = {
  question: string
  catalogue: Catalogue
  tokens: readonly Token[]
  edges: readonly Edge[]
}
type Judged = JudgedPlan & JudgedQuestion

/** Returns what only the plan tied to a name, and the words that it says carry nothing. */
export function judgedWords(plan: JudgedPlan, asked: JudgedQuestion): ReadAs[] {
  const judged: Judged = { ...plan, ...asked }
  holdCounted(judged)
  const quotes: { start: number; end: number; name: string }[] = []
  const carryNothing = new Set<string>()
  for (const [at, token] of asked.tokens.entries()) {
    if (token.isFree || token.at < 0) continue
    const name = readAs(judged, at)
    if (name === TIED) continue
    const last = quotes.at(-1)
    // Words that stand side by side are quoted together.
    if (name === HARMLESS)
      for (const words of plan.harmless.filter((each) => hasWord([each], token))) carryNothing.add(words)
    else if (last && last.name === name && isBeside(asked.tokens, last.end, at)) last.end = at + 1
    else quotes.push({ start: at, end: at + 1, name })
  }
  const textOf = (start: number, end: number) =>
    asked.tokens.slice(start, end).flatMap(({ at, text }) => (at < 0 ? [] : [text])).join(' ') // prettier-ignore
  const read: ReadAs[] = [
    ...quotes.map(({ start, end, name }) => ({ words: textOf(start, end), name })),
    ...[...carryNothing].map((words) => ({ words })),
  ]
  const first = plan.elements.find(({ topics }) => topics.length > 0) ?? plan.elements[0]
  if (read.length === 0 && first) return [{ words: first.words, name: first.name }]
  return read.filter((each, i) => read.findIndex(({ words, name }) => words === each.words && name === each.name) === i)
}

/** Of the words that the grammar left, those that the plan says carry nothing: they name nothing, and change nothing. */
export function harmlessWords(plan: JudgedPlan, asked: JudgedQuestion, left: readonly string[]): ReadAs[] {
  const judged: Judged = { ...plan, ...asked }
  const isLeft = (token: Token) => !token.isFree && token.at >= 0 && hasWord(left, token)
  for (const [at, token] of asked.tokens.entries())
    if (isLeft(token) && hasWord(plan.harmless, token)) readAs(judged, at)
  return plan.harmless.flatMap((phrase) => {
    const own = asked.tokens.filter((token) => isLeft(token) && hasWord([phrase], token))
    return own.length === 0 ? [] : [{ words: own.map(({ text }) => text).join(' ') }]
  })
}

/** Only words that ask for nothing stand between. */
const isBeside = (tokens: readonly Token[], from: number, to: number) =>
  tokens.slice(from, to).every(({ isFree, at }) => isFree && at >= 0)

const TIED = Symbol('tied')
const HARMLESS = Symbol('harmless')

/** The name that only the plan ties the word to. */
function readAs(judged: Judged, at: number): string | typeof TIED | typeof HARMLESS {
  const { tokens, elements } = judged
  const token = tokens[at] as Token
  const edges = judged.edges.filter((edge) => edge.from <= at && at < edge.to && !SAYS_NOTHING.has(edge.category))
  const named = edges.filter(({ category }) => NAMES.has(category))
  // "Or" of "rural or urban" is no part of a name by itself.
  const isPlain = named.length === edges.length
  if (edges.some((edge) => isTied(judged, edge)) || isOfNumber(judged, token) || (isPlain && isOfNames(judged, token)))
    return TIED
  if (hasWord(judged.harmless, token)) {
    const carriesNothing = isHarmless(token, edges) ? !isCounted(judged, at) : isRestated(judged, at)
    refuseIf(!carriesNothing && !isPreamble(judged, at), `"${token.text}" is passed over`)
    return HARMLESS
  }
  const isOfDataset = named.flatMap(topicsOf).some((topic) => isOfLayer(elements, topic))
  const isKnown = named.length > 0 || CHANGING.test(token.word)
  refuseIf(edges.length > named.length && named.length === 0, `"${token.text}" is passed over`)
  refuseIf(named.length > 0 && named.every(({ category }) => category === 'place'), 'a place is passed over')
  refuseIf(isKnown && !isOfDataset, named.length > 0 ? 'a name of the catalogue is passed over' : `"${token.text}" is passed over`) // prettier-ignore
  return nameOf(elements, token)
}

/** A word that changes what is asked, and that no plan computes. */
const CHANGING =
  /^(why|when|whom|will|would|could|might|should|if|unless|until|before|after|since|during|ago|last|next|previous|same|other|only|never|almost|countr(y|ies)|nation(al|wide)?)$/
/** They join others, or are of any figure. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['name', 'proper', 'verb', 'comma', 'rate'])
const JOINING: ReadonlySet<string> = new Set([
  'which', 'names', 'where', 'how', 'about', 'of', 'in', 'with', 'recording', 'and', 'but', 'lie', 'for', 'to', 'from', 'than', 'between',
  'frames', 'here', 'called', 'who',
]) // prettier-ignore
const NAMES: ReadonlySet<string> = new Set([
  'place', 'series', 'category', 'features', 'property', 'flag', 'kind', 'class', 'feature-class',
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
  adjective: ['sum', 'mean', 'weighted_mean'],
  dense: ['density'],
  head: ['ratio'],
  trend: ['change', 'difference'],
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
  weighted: ['weight'],
  distinct: ['distinct', 'grouped'],
  common: ['mode', 'highest', 'lowest'],
  change: ['change', 'difference', 'minus'],
  away: ['near'],
  nearest: ['near'],
  total: ['sum', 'count', 'extent', 'land'],
  average: ['mean', 'weighted_mean'],
  median: ['median'],
  land: ['land', 'mean', 'weighted_mean'],
  extent: ['extent'],
  per: ['ratio', 'grouped', 'mean', 'weighted_mean'],
  each: ['ratio', 'grouped', 'mean', 'weighted_mean'],
  by: ['ratio', 'grouped', 'each', 'several'],
  more: ['difference', 'minus', 'several'],
  fewer: ['difference', 'minus', 'several'],
}

function isTied(judged: Judged, { category, value }: Edge): boolean {
  const { does, numbers, elements } = judged
  if (JOINING.has(category)) return true
  if (isUnitLevel(category)) return does.has(`level:${category}`)
  if (category === 'bound' || category === 'boundBehind') return does.has(`bound:${value as string}`)
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
  if (category === 'class' || category === 'feature-class') return isOfClass(elements, value as ClassNamed)
  if (NAMES.has(category)) {
    const wanted = Array.isArray(value) ? (value as Topic[]) : [value as Topic]
    return elements.some(({ topics }) => topics.some((topic) => wanted.some((each) => sameSubject(each.subject, topic.subject)))) // prettier-ignore
  }
  return DONE_BY[category]?.some((done) => does.has(done)) ?? false
}

/** "5 000" and "5.000" may be one number. */
const isOfNumber = ({ numbers, question }: Judged, { word }: Token) =>
  /^\d/.test(word) &&
  numbersIn(question).some(
    ({ text, values }) => plainWordsOf(text).includes(word) && values.some((value) => numbers.includes(value)),
  )

const topicsOf = ({ category, value }: Edge): Topic[] =>
  category === 'place'
    ? []
    : category === 'class' || category === 'feature-class'
      ? [(value as ClassNamed).topic]
      : Array.isArray(value)
        ? (value as Topic[])
        : [value as Topic]

const isOfLayer = (elements: readonly PlanElement[], wanted: Topic) =>
  elements.some(({ topics }) => topics.some((topic) => layerOf(topic) === layerOf(wanted)))
const isOfClass = (elements: readonly PlanElement[], { topic, value }: ClassNamed) =>
  elements.some(({ values }) => values.some((own) => own.value === value && sameSubject(own.topic.subject, topic.subject))) // prettier-ignore
const isOfUnit = ({ units, elements }: Judged, { name }: UnitOfMeasure) =>
  units.some((unit) => unit.name === name) ||
  (units.length === 0 && elements.some(({ topics }) => topics.some((topic) => unitOfMeasureNamed(topic.unit)?.name === name))) // prettier-ignore

/** A slip of the keyboard stands in the question, and what it is read as beside it. */
const hasWord = (texts: readonly string[], { word, text: own }: Token) =>
  texts.some((text) => [word, ...plainWordsOf(own)].some((each) => plainWordsOf(text).includes(each)))
/** "Lagoon" of "Lagoon LGA". */
const isOfPlace = ({ places }: Judged, { text }: PlaceNamed) => {
  const words = plainWordsOf(text)
  return places.some((place) => words.every((word) => plainWordsOf(place).includes(word)))
}

/** The names of what the plan computes have the word. */
function isOfNames({ elements, catalogue: { stemOf } }: Judged, { word }: Token): boolean {
  const names = elements.flatMap(({ topics, values }) => [
    ...values.map(({ value }) => value),
    ...topics.flatMap(({ label, unit = '', names: own, datasetNames }) => [label, unit, ...own, ...datasetNames]),
  ])
  return names.flatMap(plainWordsOf).some((each) => stemOf(each) === stemOf(word))
}

const isHarmless = ({ word }: Token, edges: readonly Edge[]) =>
  !CHANGING.test(word) && edges.every(({ category }) => JOINING.has(category))

/** "How many teachers": they are what is asked. */
const isCounted = ({ tokens, edges }: Judged, at: number): boolean => {
  const before = tokens.findLastIndex(({ isFree }, i) => i < at && !isFree)
  return edges.some(({ category, to }) => category === 'count' && to === before + 1)
}

/** "Of the 60 wards": the question tells how many there are. */
const isRestated = ({ tokens, edges }: Judged, at: number): boolean =>
  tokens[at - 1]?.word === 'of' &&
  edges.some(({ category, from, to }) => category === 'number' && from === at && to === at + 1) &&
  edges.some(({ category, from }) => from === at + 1 && isOfThings(category))
const isOfThings = (category: string) => category === 'features' || category === 'frames' || isUnitLevel(category)

const OF_ASKER = /^(as|i|im|ive|we|my|our)$/
/** "As a health planner, ...": what the asker tells before the question, up to a mark. No place stands in it. */
function isPreamble({ tokens, edges }: Judged, at: number): boolean {
  const end = tokens.findIndex((token, i) => i > 0 && token.at < 0)
  const isPlaced = edges.some(({ category, to }) => category === 'place' && to <= end)
  return OF_ASKER.test(tokens[0]?.word ?? '') && at < end && !isPlaced
}

/** "How many frames", "how many schools": the plan counts them. */
function holdCounted(judged: Judged): void {
  const { tokens, edges, does } = judged
  for (const { to: end } of edges.filter(({ category }) => category === 'count')) {
    const at = tokens.findIndex(({ isFree }, i) => i >= end && !isFree)
    const things = edges.find(({ category, from }) => from === at && isOfThings(category))
    if (!things || edges.some(({ category, from }) => category === 'property' && from <= things.to && from >= at))
      continue
    const of = things.category === 'features' ? (layerOf(things.value as Topic) ?? '') : things.category
    refuseIf(!does.has(`counted:${of}`) && !does.has('distinct'), 'the things that are counted are passed over')
  }
}

/** The name of the element that reads the word. Of several, the one of the fewest words is the nearest. */
function nameOf(elements: readonly PlanElement[], token: Token): string {
  const having = elements.filter(({ words }) => hasWord([words], token))
  refuseIf(having.length === 0, 'words that nothing accounts for')
  const fewest = Math.min(...having.map(({ words }) => words.length))
  return [...new Set(having.filter(({ words }) => words.length === fewest).map(({ name }) => name))].join('; ')
}

/**
 * Holds a plan to the words of its question, as the deterministic reading is held to them. A name of the catalogue, a
 * place, a negation or a word of order must stand in the plan, or among the words that it says are not answered. A word
 * that the plan alone ties to a name is quoted, so that the reader sees what was read as what.
 */
import type { Catalogue } from './catalogue.js'
import { yearOf } from './clause.js'
import { isCue, itemsOf, type CueName, type Item } from './items.js'
import { refuseIf, spanOf } from './plan-words.js'
import type { NamedPlace, ReadAs } from './reading.js'
import { hasYear, isAdded, isOfUnits, layerOf, sameSubject, type Topic } from './topic.js'
import { plainWordsOf, wordsOf, type Word } from './words.js'

/** An ask or a condition of a plan. `name` is what its words are read as; `value` is a class. */
export type PlanElement = { words: string; name: string; topics: readonly Topic[]; value?: string }
export type JudgedPlan = {
  elements: readonly PlanElement[]
  operations: ReadonlySet<string>
  tests: ReadonlySet<string>
  isGrouped: boolean
  places: readonly NamedPlace[]
  /** The words that the plan says are not answered. */
  said: readonly string[]
}
type Judged = JudgedPlan & { question: string; catalogue: Catalogue }

/** Returns what only the plan tied to a name. Throws where the plan drops a word that changes the figure. */
export function judgedWords(plan: JudgedPlan, question: string, catalogue: Catalogue): ReadAs[] {
  const judged: Judged = { ...plan, question, catalogue }
  const words = wordsOf(question)
  for (const phrase of catalogue.units.keys()) refuseIf(isDropped(judged, words, phrase), 'a place is passed over')
  const quotes: { start: number; end: number; name: string }[] = []
  let isNext = false
  for (const item of itemsOf(catalogue, words)) {
    const name = isTied(judged, item) ? undefined : nameOf(judged, item)
    const last = quotes.at(-1)
    // Words that stand side by side are quoted together.
    if (name !== undefined && last && isNext && item.mark === '' && last.name === name) last.end = item.end
    else if (name !== undefined) quotes.push({ start: item.start, end: item.end, name })
    isNext = name !== undefined
  }
  if (quotes.length > 0) return quotes.map(({ start, end, name }) => ({ words: textOf(words.slice(start, end)), name }))
  return plan.elements.slice(0, 1).map((each) => ({ words: spanOf(question, each.words), name: each.name }))
}

const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')

const covers = (texts: readonly string[], words: readonly string[]) => {
  const known = new Set(texts.flatMap(plainWordsOf))
  return words.every((word) => known.has(word))
}

/** A place of the index that the plan names nowhere. In lower case it may be a name of the catalogue: "hospital". */
function isDropped(plan: Judged, asked: readonly Word[], phrase: string): boolean {
  const words = plainWordsOf(phrase)
  if (covers([...plan.places.map(({ text }) => text), ...plan.said], words)) return false
  const start = asked.findIndex((_, i) => words.every((word, k) => asked[i + k]?.word === word))
  if (start < 0) return false
  const text = textOf(asked.slice(start, start + words.length))
  return !isOfClass(plan.elements, text) && !(text === text.toLowerCase() && isOfNames(plan, words))
}

/** A class of the plan has used these words: they are no place. */
export const isOfClass = (elements: readonly PlanElement[], text: string): boolean =>
  elements.some(({ value, words }) => {
    const isName = plainWordsOf(value ?? '').join(' ') === plainWordsOf(text).join(' ')
    return value !== undefined && covers([words], plainWordsOf(text)) && (isName || text === text.toLowerCase())
  })

/** The names of what the plan computes have all of these words. */
function isOfNames({ elements, catalogue: { stemOf } }: Judged, words: readonly string[]): boolean {
  const names = elements.flatMap(({ topics, value = '' }) => [
    value,
    ...topics.flatMap((topic) => [topic.label, topic.unit ?? '', ...topic.names, ...topic.datasetNames]),
  ])
  const known = new Set(names.flatMap(plainWordsOf).map(stemOf))
  return words.length > 0 && words.every((word) => known.has(stemOf(word)))
}

function isTied(plan: Judged, item: Item): boolean {
  const words = plainWordsOf(item.text)
  // Numbers are held to the plan where it is read.
  if (item.kind === 'number' || covers([...plan.places.map(({ text }) => text), ...plan.said], words)) return true
  if (item.isGuess) return false
  if (item.kind === 'cue') return isCueTied(plan, item, words)
  if (item.kind === 'unknown') return isOfNames(plan, words)
  const meanings = item.kind === 'topic' ? item.topics.map((topic) => ({ topic })) : item.meanings
  const planned = plan.elements.flatMap(({ topics, value }) => topics.map((topic) => ({ topic, value })))
  const isSame = (a: Topic, b: Topic) => sameSubject(a.subject, b.subject)
  const isPlanned = meanings.some((meaning) =>
    planned.some(
      ({ topic, value }) => isSame(topic, meaning.topic) && (!('value' in meaning) || value === meaning.value),
    ),
  )
  // "Over 2 km from a school": the distance has the name of the schools.
  const tied = isPlanned || (item.kind === 'topic' && isOfNames(plan, words))
  const isOfDataset = meanings.some(({ topic }) => planned.some((each) => layerOf(each.topic) === layerOf(topic)))
  refuseIf(!tied && meanings.every(({ topic }) => isOfUnits(topic)), 'a place is passed over')
  refuseIf(!tied && !isOfDataset, 'a name of the catalogue is passed over')
  return tied || (item.kind === 'topic' && item.isDataset)
}

type Keeps = (plan: Judged) => boolean
const does = (...some: string[]): Keeps => (plan) => some.some((each) => plan.operations.has(each)) // prettier-ignore
const isAverage: Keeps = (plan) =>
  plan.operations.has('mean') ||
  (plan.operations.has('usual') && plan.elements.some(({ topics }) => !topics.every(isAdded)))
const isGrouped: Keeps = (plan) => plan.isGrouped
/**
 * A plan must have such an element where the question has one of these phrases. Other phrases change no figure, or
 * stand beside a number, which is checked by itself.
 */
const KEPT_BY: readonly (readonly [cues: readonly CueName[], keeps: Keeps])[] = [
  [['not', 'without', 'except'], ({ tests }) => tests.has('none') || tests.has('not_class')],
  [['max'], does('highest', 'max', 'range')],
  [['min'], does('lowest', 'min', 'range')],
  [['top', 'bottom', 'rank'], does('highest', 'lowest')],
  [['mean', 'per-frame'], isAverage],
  [['median'], does('median')],
  [['range'], does('range')],
  [['interval'], does('interval')],
  [['extent'], does('extent')],
  [['share', 'half'], does('portion', 'class', 'frames')],
  [['density'], does('per_km2')],
  [['per', 'head', 'ratio'], (plan) => plan.isGrouped || does('per', 'per_km2', 'mean')(plan)],
  [['change', 'trend'], does('change')],
  [['each', 'by'], isGrouped],
  [['or'], ({ places }) => places.length > 1],
]

const BOUNDS: Readonly<Record<string, string>> = { above: 'above', atLeast: 'at_least', below: 'below', atMost: 'at_most' } // prettier-ignore

function isCueTied(plan: Judged, item: Item, words: readonly string[]): boolean {
  const year = yearOf(plan.catalogue, item)
  const isKept = isCue(item, 'bound')
    ? plan.tests.has(BOUNDS[item.bound] ?? '')
    : isCue(item, 'relation')
      ? /^(nearest|closest|farthest|furthest)$/i.test(item.text) && does('highest', 'lowest')(plan)
      : year !== undefined
        ? plan.elements.some(({ topics }) => topics.some((topic) => hasYear(topic, year)))
        : KEPT_BY.every(([cues, keeps]) => !isCue(item, ...cues) || keeps(plan))
  refuseIf(!isKept && !isOfNames(plan, words), `"${item.text}" is passed over`)
  return true
}

/** The name of the element that reads the item. Of several, the one of the fewest words is the nearest. */
function nameOf({ elements }: Judged, item: Item): string {
  const having = elements.filter(({ words }) => covers([words], plainWordsOf(item.text)))
  refuseIf(having.length === 0, 'words that nothing accounts for')
  const fewest = Math.min(...having.map(({ words }) => words.length))
  return [...new Set(having.filter(({ words }) => words.length === fewest).map(({ name }) => name))].join('; ')
}

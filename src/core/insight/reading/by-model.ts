/**
 * The model plans the reading of a question where the grammar leaves words over: of another language, of other words, or
 * of a part that is not understood. It chooses among what the key may read, and gives no figure. The grammar's reading
 * stands where the plan is late, refused, or no better.
 */
import { isLate, loggableReason } from '../wording/wording-fault.js'
import type { AskModel } from '../wording/wording.js'
import type { Catalogue } from './catalogue.js'
import type { Edge } from './chart.js'
import { judgedWords, leftWords } from './judge.js'
import { lexiconOf } from './lexicon.js'
import { type PlaceNamed, tokensOf } from './tokens.js'
import { planOf, type ReadingPlan } from './plan.js'
import { madePlan, type MadeFigure } from './plan-figures.js'
import type { PlanContext, PlanSubject } from './plan-tests.js'
import type { JudgedQuestion } from './ties.js'
import { canonical, numbersIn, PlanRefused, refuseIf, spanOf } from './plan-words.js'
import { readingFacts } from './reading-facts.js'
import { planPrompt } from './prompt.js'
import type { Ask, ReadAs, Reading, WholeLevel } from './reading.js'
import { areBandsOf, layerOf, type Topic } from './topic.js'
import { plainWordsOf, wordsOf } from './words.js'

/** `used`: the figures of the plan; `kept`: the grammar's, as the words left carry nothing; `said`: words have no answer. */
type PlanOutcome = 'used' | 'kept' | 'said' | 'late' | 'failed' | 'refused' | 'hung_up' | 'ceiling'
export type Planning = { reading: Reading; outcome: PlanOutcome; reason?: string }
/** `priced`: the datasets that cost. `about` says in a line which frames the question is about; `level`: those of such a unit. */
export type PlannedQuestion = {
  question: string
  catalogue: Catalogue
  reading: Reading
  priced: ReadonlySet<string>
  about: string
  level: WholeLevel
}
/** Never throws. */
export type PlanByModel = (asked: PlannedQuestion, hangUp?: AbortSignal) => Promise<Planning>

const leftIn = ({ unknown, unanswered }: Reading): string[] => [...unknown, ...unanswered]
export const leavesWordsOver = (reading: Reading): boolean => leftIn(reading).length > 0

type PlannerOptions = {
  /** The operator pays for so many plans of this process in a day (UTC). */
  dailyMax?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

export function plannerByModel(
  askModel: AskModel,
  { dailyMax = Infinity, now = Date.now }: PlannerOptions = {},
): PlanByModel {
  const isOver = dailyCeiling(dailyMax, now)
  return async (asked, hangUp = new AbortController().signal) => {
    const { reading } = asked
    if (isOver()) return { reading, outcome: 'ceiling' }
    try {
      const known = knownOf(asked)
      const { text } = await askModel(planPrompt({ ...asked, ...known, places: placesText(known.places) }), hangUp)
      return planned(text, asked, known)
    } catch (error) {
      return { reading, ...fallbackOf(error, hangUp) }
    }
  }
}

const DAY_MS = 86_400_000

function dailyCeiling(most: number, now: () => number): () => boolean {
  const asked = { day: 0, times: 0 }
  return () => {
    const day = Math.floor(now() / DAY_MS)
    if (day !== asked.day) Object.assign(asked, { day, times: 0 })
    asked.times += 1
    return asked.times > most
  }
}

function fallbackOf(error: unknown, hangUp: AbortSignal): Omit<Planning, 'reading'> {
  if (hangUp.aborted) return { outcome: 'hung_up' }
  if (error instanceof PlanRefused) return { outcome: 'refused', reason: error.message }
  return isLate(error) ? { outcome: 'late' } : { outcome: 'failed', reason: loggableReason(error) }
}

/** What the plan may name, and what is known of the words of its question. */
type Known = {
  subjects: PlanSubject[]
  priced: PlanSubject[]
  more: number
  places: PlaceNamed[]
  numbers: string[]
  ordinals: string[]
  judged: JudgedQuestion
}

/** A prompt offers so many datasets at most. */
const DATASETS_MAX = 200
/** A list of more classes than this would fill the prompt. */
const LISTED_CLASSES_MAX = 50

function knownOf({ question, catalogue, priced, level }: PlannedQuestion): Known {
  const words = wordsOf(question)
  const tokens = tokensOf(catalogue, words)
  const all = lexiconOf(catalogue, words, tokens, { level }).edges
  // A misspelled word that is near to several names counts as none of them. A plan may take it for the name of a place.
  const edges = all.filter(({ lost }) => lost.length === 0)
  const slips = all.filter(({ lost, category }) => lost.length > 0 && category === 'place')
  const layers = [...new Set(catalogue.topics.flatMap((topic) => layerOf(topic) ?? []))]
  const isPriced = (layer: string) => priced.has(layer)
  const offered = nearest(layers.filter((layer) => !isPriced(layer)), catalogue, question) // prettier-ignore
  // A plan is no reason to charge: a dataset that costs is offered where the question has a name of it.
  const named = new Set(edges.flatMap(({ value }) => layersIn(value)).filter(isPriced))
  const subjects = subjectsOf(catalogue, [...offered, ...named])
  const digits = numbersIn(question)
  const isOrdinal = ({ text }: { text: string }) => /\d(st|nd|rd|th)$/i.test(text)
  return {
    subjects: subjects.filter(({ topic }) => !named.has(layerOf(topic) ?? '')),
    priced: subjects.filter(({ topic }) => named.has(layerOf(topic) ?? '')),
    more: layers.filter((layer) => !isPriced(layer)).length - offered.length,
    places: [...edges, ...slips].flatMap(({ category, value }) => (category === 'place' ? [value as PlaceNamed] : [])),
    numbers: [...digits.filter((each) => !isOrdinal(each)).flatMap(({ values }) => values), ...edges.flatMap(numberOf)],
    ordinals: [
      ...digits.filter(isOrdinal).flatMap(({ values }) => values),
      ...edges.flatMap(({ category, value }) => (category === 'ordinal' ? [String(value)] : [])),
    ],
    judged: { question, catalogue, tokens, edges, slips },
  }
}

function numberOf({ category, value }: Edge): string[] {
  if (category === 'number' || category === 'year') return [canonical(value as string)]
  return category === 'quantity' ? [canonical((value as { number: string }).number)] : []
}

/** "Kofa North (ward)". */
const placesText = (places: readonly PlaceNamed[]): string[] =>
  [...new Set(places.map(({ text }) => text))].map(
    (text) =>
      `${text} (${[...new Set(places.flatMap((place) => (place.text === text ? place.levels.map(({ level }) => level) : [])))].join(', ')})`,
  )

/** The layers of the topics that an edge of the lexicon holds. */
function layersIn(value: unknown): string[] {
  const topics = [value].flat().flatMap((each) => (Object(each) as { topic?: Topic }).topic ?? (each as Topic))
  return topics.flatMap((topic) => (typeof topic === 'object' && 'subject' in topic ? (layerOf(topic) ?? []) : []))
}

/** Of too many datasets, those whose names have a word of the question come first. */
function nearest(layers: readonly string[], { topics, stemOf }: Catalogue, question: string): string[] {
  if (layers.length <= DATASETS_MAX) return [...layers]
  const asked = new Set(plainWordsOf(question).map(stemOf))
  const isNear = (layer: string) =>
    topics.some(
      (topic) =>
        layerOf(topic) === layer &&
        [...topic.names, ...topic.datasetNames, ...topic.classes]
          .flatMap(plainWordsOf)
          .some((word) => asked.has(stemOf(word))),
    )
  const near = layers.filter(isNear)
  return [...near, ...layers.filter((layer) => !near.includes(layer))].slice(0, DATASETS_MAX)
}

/** Units are those of the index, and a name of features is tested by its words. */
const isOfIndexOrName = ({ label, subject }: Topic): boolean =>
  /^(state|lga|ward)$/i.test(label) || (subject.kind === 'property' && subject.property === 'name')

/** Codes of units, and bands of a number: a plan has the units and the number. */
const isCodeOrBand = (topic: Topic, topics: readonly Topic[]): boolean =>
  /^\w+ (code|id)$/i.test(topic.label) ||
  topics.some((each) => layerOf(each) === layerOf(topic) && areBandsOf(topic, each))

const NAMES_MAX = 4

function subjectsOf({ topics, stemOf }: Catalogue, layers: readonly string[]): PlanSubject[] {
  const all = layers.flatMap((layer) => topics.filter((topic) => layerOf(topic) === layer && !isOfIndexOrName(topic)))
  const stemsOf = (text: string) => plainWordsOf(text).map(stemOf)
  return all.map((topic, place) => {
    const { subject, label, classes } = topic
    const owner =
      subject.kind === 'property'
        ? all.findIndex((each) => each.type === 'features' && layerOf(each) === layerOf(topic))
        : -1
    const id = `t${place + 1}`
    const listed = classes.length > LISTED_CLASSES_MAX ? [] : classes
    // A name without a word of its own tells nothing.
    const known = new Set([label, topic.unit ?? ''].flatMap(stemsOf))
    const names = topic.names.filter((name) => {
      const own = stemsOf(name).filter((stem) => !known.has(stem))
      for (const stem of own) known.add(stem)
      return own.length > 0
    })
    return {
      id,
      name: all[owner] ? `${all[owner].label}, ${label.replaceAll('_', ' ')}` : label,
      topic,
      ...(owner >= 0 && { owner: `t${owner + 1}` }),
      classes: listed.map((value, i) => ({ id: `${id}c${i + 1}`, value })),
      names: names.slice(0, NAMES_MAX),
      isOffered: !isCodeOrBand(topic, topics),
    }
  })
}

function planned(text: string, { question, reading, catalogue }: PlannedQuestion, known: Known): Planning {
  const plan = planOf(text)
  const { allUnits } = catalogue
  const context = { ...known, question, allUnits, subjects: [...known.subjects, ...known.priced] }
  const said = plan.rest.map((words) => spanOf(question, words))
  if (said.length > 0) return { reading: saidIn(nearestOf(plan, { reading, context }), said), outcome: 'said' }
  const { figures, judged } = madePlan(plan, context)
  const asks = figures.map(askOf)
  if (asks.length === 0) return { reading: kept(reading, judged.harmless, known.judged), outcome: 'kept' }
  const told = reading.readAs ?? []
  const isTold = (one: ReadAs) => told.some(({ words, name }) => words === one.words && name === one.name)
  const readAs = [...told, ...judgedWords(judged, known.judged).filter((one) => !isTold(one))]
  return { reading: { asks, unknown: [], unanswered: [], readAs, wants: 'figures' }, outcome: 'used' }
}

/** The figures of a plan that leaves a part unanswered, or those of the grammar. */
function nearestOf(plan: ReadingPlan, { reading, context }: { reading: Reading; context: PlanContext }): Reading {
  try {
    const { figures } = madePlan(plan, context)
    return figures.length === 0
      ? reading
      : { ...reading, asks: figures.map((figure) => ({ ...askOf(figure), isNearest: true })) }
  } catch (error) {
    if (error instanceof PlanRefused) return reading
    throw error
  }
}

function askOf({ figure, measure, subject, subjects, words }: MadeFigure): Ask {
  const operation = { op: 'figure' as const, figure, subjects, words, ...(measure !== undefined && { measure }) }
  return { subject, operation, where: [] }
}

const withoutWords = (texts: readonly string[], words: readonly string[]): string[] => {
  const known = new Set(words.flatMap(plainWordsOf))
  return texts.filter((text) => !plainWordsOf(text).every((word) => known.has(word)))
}

/** A part of the question has no answer, and the plan says which: the figures are only near to it. */
function saidIn(reading: Reading, said: readonly string[]): Reading {
  const own = said.map(plainWordsOf)
  const isOther = (text: string) => !own.some((words) => words.every((word) => plainWordsOf(text).includes(word)))
  const [unknown, unanswered] = [reading.unknown, reading.unanswered].map((texts) =>
    withoutWords(texts, said).filter(isOther),
  )
  return { ...reading, unknown: unknown ?? [], unanswered: [...said, ...(unanswered ?? [])], wants: 'figures' }
}

/** The grammar's reading stands: its figures have the words that it left, or these carry nothing. */
function kept(reading: Reading, harmless: readonly string[], question: JudgedQuestion): Reading {
  refuseIf(reading.asks.length === 0, 'no figure to keep')
  const facts = { ...readingFacts(question.catalogue, reading), harmless }
  const readAs = [...(reading.readAs ?? []), ...leftWords(facts, question, leftIn(reading))]
  refuseIf(withoutWords(leftIn(reading), harmless).length > 0, 'words that nothing accounts for')
  const asks = reading.asks.map(({ isNearest: _near, ...ask }) => ask)
  return { ...reading, asks, unknown: [], unanswered: [], readAs }
}

/**
 * The plan of a question that the model gives: its schema, made from the catalogue, and its check. A subject is "t3" and
 * a class "t3c2", so that the schema holds nothing of the question and no name of a dataset: the API compiles it once for
 * a catalogue. It uses only what structured outputs support: no lengths, no patterns, no optional fields.
 *
 * The check turns a plan into a Reading, or refuses it: a subject has its operation; every number of the plan stands in
 * the question, and every number of the question is used or named; a place is one that the index or the catalogue has;
 * at most one condition compares; and judge.ts accounts for every word.
 */
import { defined } from '../../defined.js'
import type { Catalogue } from './catalogue.js'
import { isOfClass, type JudgedPlan, judgedWords, type PlanElement } from './judge.js'
import { canonical, foldedWords, needed, numbersIn, PlanRefused, refuseIf, spanOf } from './plan-words.js'
import type { Ask, Condition, NamedPlace, Operation, Reading } from './reading.js'
import type { Subject, Test } from '../../figures/index.js'
import { canHave, hasYear, isAdded, isOfUnits, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

const OPERATIONS = [
  'usual', 'sum', 'mean', 'median', 'min', 'max', 'range', 'interval', 'per_km2', 'names', 'extent',
  'frames', 'class', 'highest', 'lowest', 'portion', 'per', 'change',
] as const // prettier-ignore
const BOUND_OF_PLAN = { above: 'above', at_least: 'atLeast', below: 'below', at_most: 'atMost' } as const
const PLANNED_TESTS = ['above', 'at_least', 'below', 'at_most', 'any', 'none', 'class', 'not_class'] as const
const NONE_OF_PLAN = 'none'

/** `n` and `number` are empty where there is none. `by`: the figure is of each of these. `places`: words that name units. */
export type PlannedAsk = {
  words: string
  subject: string
  operation: (typeof OPERATIONS)[number]
  other: string
  n: string
  by: string
  places: string[]
}
export type PlannedCondition = { words: string; subject: string; test: (typeof PLANNED_TESTS)[number]; number: string }
export type ReadingPlan = {
  asks: PlannedAsk[]
  conditions: PlannedCondition[]
  notRecorded: string[]
  notComputable: string[]
}

/** A subject of the catalogue under the id that the plan uses for it. */
type PlanClass = { id: string; value: string }
export type PlanSubject = { id: string; subject: Subject; name: string; topic?: Topic; classes: PlanClass[] }
export type PlanContext = {
  question: string
  choices: readonly PlanSubject[]
  reading: Reading
  catalogue: Catalogue
}

/** Groups are the units of the index, or the classes of a category. */
const canGroup = ({ subject, topic }: PlanSubject): boolean =>
  subject.kind === 'index'
    ? subject.figure !== 'frames' && subject.figure !== 'area'
    : topic?.type === 'category' && topic.summary === 'mode' && subject.kind === 'attribute'

/** The part of JSON Schema that a plan needs. */
export type Schema = {
  enum?: readonly unknown[]
  type?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: false
}
const TEXT: Schema = { type: 'string' }
const TEXTS: Schema = { type: 'array', items: TEXT }
const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

export function planSchema(choices: readonly PlanSubject[]): Schema {
  const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id)
  const ofTopics = choices.filter(({ topic }) => topic)
  const classes = choices.flatMap((choice) => idsOf(choice.classes))
  const ask = {
    words: TEXT,
    subject: { enum: [...idsOf(choices), ...classes] },
    operation: { enum: OPERATIONS },
    other: { enum: [NONE_OF_PLAN, ...idsOf(ofTopics)] },
    n: TEXT,
    by: { enum: [NONE_OF_PLAN, ...idsOf(choices.filter(canGroup))] },
    places: TEXTS,
  }
  // "Secondary schools" and "schools with more than 300 pupils" are no frames.
  const ofFrames = ofTopics.filter(({ subject }) => subject.kind !== 'property')
  const tested = ofFrames.flatMap((choice) => [choice.id, ...idsOf(choice.classes)])
  const condition = { words: TEXT, subject: { enum: tested }, test: { enum: PLANNED_TESTS }, number: TEXT }
  return objectOf({
    asks: { type: 'array', items: objectOf(ask) },
    conditions: { type: 'array', items: objectOf(condition) },
    notRecorded: TEXTS,
    notComputable: TEXTS,
  })
}

/** The API promises JSON of the schema. Nothing here relies on it. */
export function planOf(text: string, schema: Schema): ReadingPlan {
  let plan: unknown
  try {
    plan = JSON.parse(text)
  } catch {
    throw new PlanRefused('it is not JSON')
  }
  refuseIf(!isOf(schema, plan), 'it does not match the schema')
  return plan as ReadingPlan
}

function isOf({ enum: choices, type, items, properties }: Schema, value: unknown): boolean {
  if (choices) return choices.includes(value)
  if (items) return Array.isArray(value) && value.every((each) => isOf(items, each))
  if (!properties) return typeof value === type
  if (typeof value !== 'object' || value === null) return false
  const given = new Map(Object.entries(value))
  const wanted = Object.entries(properties)
  return given.size === wanted.length && wanted.every(([name, own]) => isOf(own, given.get(name)))
}

const PLAN_MOST = { asks: 8, conditions: 3, places: 4, named: 10, count: 50 }

export function readingOfPlan(plan: ReadingPlan, context: PlanContext): Reading {
  const { asks, conditions, notRecorded, notComputable } = plan
  const named = [...notRecorded, ...notComputable]
  const isLong =
    asks.length > PLAN_MOST.asks || conditions.length > PLAN_MOST.conditions || named.length > PLAN_MOST.named
  refuseIf(isLong, 'too many entries')
  refuseIf(conditions.filter(({ number }) => number !== '').length > 1, 'two comparisons')
  refuseIf(asks.length === 0 && (conditions.length > 0 || named.length === 0), 'no figure and no words')
  const where = conditions.map((condition) => conditionOf(condition, context))
  const ofClass = where.filter(({ test }) => test.test === 'class').map(({ subject }) => JSON.stringify(subject))
  refuseIf(new Set(ofClass).size < ofClass.length, 'two classes of one category')
  const elements = elementsOf(plan, context)
  const places = placesOfPlan(plan, elements, context)
  const spansOf = (all: readonly string[]) => [...new Set(all.map((words) => spanOf(context.question, words)))]
  const [unknown, unanswered] = [spansOf(notRecorded), spansOf(notComputable)]
  const made = asks.map((ask, i) => askOf(ask, { where, places: places[i] ?? [] }, context))
  checkLeftOver(plan, context)
  const placed = [...new Set(places.flat())]
  const operations = new Set<string>(asks.map(({ operation }) => operation))
  const tests = new Set<string>(conditions.map(({ test }) => test))
  const isGrouped = asks.some(({ by }) => by !== NONE_OF_PLAN)
  const judged: JudgedPlan = { elements, operations, tests, isGrouped, places: placed, said: named }
  const readAs = [...(context.reading.readAs ?? []), ...judgedWords(judged, context.question, context.catalogue)]
  return {
    // A figure beside words that nothing records is the nearest, and no answer.
    asks: unknown.length > 0 ? made.map((ask) => ({ ...ask, isNearest: true })) : made,
    unknown,
    unanswered,
    readAs,
    places: placed,
    wants: 'figures',
  }
}

/** A number that the plan passes over would change what the question means: "more than 5,000", "in 1950". */
function checkLeftOver({ asks, conditions, notRecorded, notComputable }: ReadingPlan, context: PlanContext): void {
  const { question, reading } = context
  const named = [...asks.flatMap(({ places }) => places), ...notRecorded, ...notComputable].flatMap(foldedWords)
  const accounted = new Set([...named, ...[...asks, ...conditions].flatMap(({ words }) => foldedWords(words))])
  const leftOver = [...reading.unknown, ...reading.unanswered].flatMap(foldedWords)
  refuseIf(!leftOver.every((word) => accounted.has(word)), 'words that nothing accounts for')
  const used = [...asks.map(({ n }) => n), ...conditions.map(({ number }) => number)].filter(Boolean).map(canonical)
  const ids = [...asks.flatMap(({ subject, other, by }) => [subject, other, by]), ...conditions.map((each) => each.subject)] // prettier-ignore
  const topics = ids.flatMap((id) => (id === NONE_OF_PLAN ? [] : (plannedSubject(context, id).topic ?? [])))
  for (const { text, values } of numbersIn(question)) {
    const isKnown = values.some(
      (value) => used.includes(value) || topics.some((topic) => hasYear(topic, Number(value))),
    )
    refuseIf(!isKnown && !foldedWords(text).every((word) => named.includes(word)), 'a number is passed over')
  }
}

/** The subject of an id, or the subject that an id of a class belongs to. */
function plannedSubject({ choices }: PlanContext, id: string): PlanSubject {
  const choice = choices.find((each) => each.id === id || each.classes.some((own) => own.id === id))
  return needed(choice, 'an unknown subject')
}

const classOf = ({ classes }: PlanSubject, id: string): string =>
  needed(classes.find((each) => each.id === id)?.value, 'an unknown class')

type AskScope = { where: Condition[]; places: NamedPlace[] }
const NOT_THERE = 'an operation that its subject does not have'

function askOf(planned: PlannedAsk, { where, places }: AskScope, context: PlanContext): Ask {
  const { words, subject, operation, other, by } = planned
  const choice = plannedSubject(context, subject)
  spanOf(context.question, words)
  refuseIf((choice.id !== subject) !== (operation === 'class'), 'a class without use')
  refuseIf(operation === 'frames' && where.length === 0, 'frames are counted without a condition')
  refuseIf(operation === 'portion' && where.length + places.length === 0, 'a portion without a condition')
  refuseIf((other !== NONE_OF_PLAN) !== (operation === 'per' || operation === 'change'), 'a second subject without use')
  const made = by === NONE_OF_PLAN ? operationOf(planned, choice, context) : plannedGroups(planned, choice, context)
  return { subject: choice.subject, operation: made, where, ...(places.length > 0 && { places }) }
}

function plannedGroups(planned: PlannedAsk, choice: PlanSubject, context: PlanContext): Operation {
  const { operation } = planned
  const { topic } = choice
  const by = plannedSubject(context, planned.by)
  refuseIf(by === choice, 'these subjects cannot be compared')
  const order = operation === 'highest' || operation === 'lowest' ? operation : undefined
  const isThere = topic ? topic.summary !== 'none' && topic.type !== 'category' : !canGroup(choice)
  refuseIf(!isThere || (order === undefined && operation !== 'usual'), NOT_THERE)
  const n = plannedCount(planned, order !== undefined, context)
  return { op: 'by', by: by.subject, ...defined({ order, n }) }
}

function operationOf(planned: PlannedAsk, choice: PlanSubject, context: PlanContext): Operation {
  const { operation, other, subject } = planned
  const { topic } = choice
  const isRank = operation === 'highest' || operation === 'lowest'
  const n = plannedCount(planned, isRank, context)
  if (operation === 'usual') return { op: operation }
  refuseIf(!topic || !canHave(topic, isRank ? 'rank' : operation), NOT_THERE)
  if (operation === 'class') return { op: operation, value: classOf(choice, subject) }
  if (isRank) return { op: 'rank', order: operation, ...defined({ n }) }
  if (operation !== 'per' && operation !== 'change') return { op: operation }
  const second = plannedSubject(context, other)
  const isSeries = second.topic?.series === topic?.series
  const isFit = operation === 'change' ? isSeries : second.topic !== undefined && isAdded(second.topic)
  refuseIf(second === choice || !isFit, 'these subjects cannot be compared')
  return { op: operation, other: second.subject }
}

function plannedCount({ n }: PlannedAsk, isCounted: boolean, context: PlanContext): number | undefined {
  if (n === '') return undefined
  refuseIf(!isCounted, 'a number without use')
  const count = Number(numberOfQuestion(n, context))
  refuseIf(!Number.isInteger(count) || count < 1 || count > PLAN_MOST.count, 'a count that cannot be')
  return count
}

function numberOfQuestion(number: string, { question }: PlanContext): string {
  refuseIf(!/^\d{1,15}(\.\d{1,6})?$/.test(number), 'a number that is no plain decimal')
  const value = canonical(number)
  refuseIf(!numbersIn(question).some(({ values }) => values.includes(value)), 'a number that is not in the question')
  return value
}

function conditionOf({ words, subject, test, number }: PlannedCondition, context: PlanContext): Condition {
  const choice = plannedSubject(context, subject)
  spanOf(context.question, words)
  return { subject: choice.subject, test: testOf() }

  function testOf(): Test {
    if (test === 'class' || test === 'not_class') return { test, value: classOf(choice, subject) }
    refuseIf(choice.topic?.type === 'category' || choice.id !== subject, 'a test that its subject does not have')
    refuseIf(number !== '' && !(test in BOUND_OF_PLAN), 'a number without use')
    if (test === 'any' || test === 'none') return { test }
    return { test: 'bounds', [BOUND_OF_PLAN[test]]: numberOfQuestion(number, context) }
  }
}

const plain = (text: string) => plainWordsOf(text).join(' ')

/** The words of each ask and condition, and what they are read as. */
function elementsOf({ asks, conditions }: ReadingPlan, context: PlanContext): PlanElement[] {
  const elementOf = (words: string, ...ids: string[]): PlanElement => {
    const [first, ...others] = ids.filter((id) => id !== NONE_OF_PLAN).map((id) => plannedSubject(context, id))
    const { name, classes } = needed(first, 'an unknown subject')
    const value = classes.find(({ id }) => id === ids[0])?.value
    const topics = [first, ...others].flatMap((choice) => choice?.topic ?? [])
    return { words, name: value === undefined ? name : `${name}: ${value}`, topics, ...defined({ value }) }
  }
  return [
    ...asks.map(({ words, subject, other, by }) => elementOf(words, subject, other, by)),
    ...conditions.map(({ words, subject }) => elementOf(words, subject)),
  ]
}

/** The places of each ask. Without any, the places of the question stand for all of them. */
function placesOfPlan(plan: ReadingPlan, elements: readonly PlanElement[], context: PlanContext): NamedPlace[][] {
  const { asks, notRecorded, notComputable } = plan
  refuseIf(
    asks.some(({ places }) => places.length > PLAN_MOST.places),
    'too many entries',
  )
  const said = new Set([...notRecorded, ...notComputable].flatMap(foldedWords))
  // A word that a class or the words without an answer have used is no place.
  const isUsed = (text: string) => isOfClass(elements, text) || foldedWords(text).every((word) => said.has(word))
  const named = asks.map(({ places }) => places.map((words) => plannedPlace(spanOf(context.question, words), context)))
  const own = (context.reading.places ?? []).filter(({ text }) => !isUsed(text))
  if (named.every(({ length }) => length === 0)) return asks.map(() => own)
  refuseIf(
    named.flat().some(({ text }) => isUsed(text)),
    'a place that is something else as well',
  )
  refuseIf(!own.every((place) => named.flat().includes(place)), 'a place is passed over')
  return named
}

function plannedPlace(text: string, { reading, choices, catalogue }: PlanContext): NamedPlace {
  const own = reading.places?.find((place) => plain(place.text) === plain(text))
  if (own) return own
  const categories = choices.flatMap(({ topic }) =>
    (topic && isOfUnits(topic) ? topic.classes : []).flatMap((value) =>
      topic && plain(value) === plain(text) ? [{ subject: topic.subject, label: topic.label, value }] : [],
    ),
  )
  refuseIf(
    categories.length === 0 && !catalogue.units.has(plain(text)),
    'a place that neither the index nor the catalogue has',
  )
  return { text, categories }
}

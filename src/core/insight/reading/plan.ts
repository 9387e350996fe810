/**
 * The plan of a question that the model gives: its schema, made from the catalogue, and its check. A subject is "t3" and
 * a class "t3c2", so that the schema holds nothing of the question and no name of a dataset: the API compiles it once for
 * a catalogue. It uses only what structured outputs support: no lengths, no patterns, no optional fields.
 *
 * The check turns a plan into a Reading, or refuses it: a subject has its operation; every number of the plan stands in
 * the question, and every number of the question is used or named; every word that the deterministic reading left over
 * is accounted for; a place is one that the index or the catalogue has; and at most one comparison.
 */
import { trimDecimal } from '../../decimal.js'
import { defined } from '../../defined.js'
import type { Ask, Condition, NamedPlace, Operation, Reading, Subject, Test } from './reading.js'
import { canHave, hasYear, isAdded, isOfUnits, type Topic } from './topic.js'
import { fold, plainWordsOf } from './words.js'

const FIGURES = [
  'usual',
  'sum',
  'mean',
  'median',
  'min',
  'max',
  'range',
  'interval',
  'per_km2',
  'names',
  'extent',
] as const
const OTHERS = ['frames', 'class', 'highest', 'lowest', 'portion', 'per', 'change', 'by'] as const
const OPERATIONS = [...FIGURES, ...OTHERS] as const
const BOUNDS = { above: 'above', at_least: 'atLeast', below: 'below', at_most: 'atMost' } as const
const BOUND_NAMES = ['above', 'at_least', 'below', 'at_most'] as const
const TESTS = [...BOUND_NAMES, 'any', 'none', 'class', 'not_class'] as const
const HAVINGS = ['all', ...BOUND_NAMES, 'any', 'none'] as const
const MEASURES = ['usual', 'mean', 'per_km2', 'min', 'max'] as const
const ORDERS = ['none', 'highest', 'lowest'] as const
const NONE = 'none'

/**
 * `n` and `number` are empty where there is none. `places`: words of the question that name units. `isOutside`: the
 * frames outside them are meant. `by`, `measure`, `order` and `having` are for a figure of each unit or class.
 */
export type PlannedAsk = {
  words: string
  subject: string
  operation: (typeof OPERATIONS)[number]
  other: string
  n: string
  by: string
  measure: (typeof MEASURES)[number]
  order: (typeof ORDERS)[number]
  having: (typeof HAVINGS)[number]
  number: string
  places: string[]
  isOutside: boolean
  isNearest: boolean
}
export type PlannedCondition = { words: string; subject: string; test: (typeof TESTS)[number]; number: string }
export type ReadingPlan = {
  wants: 'figures' | 'profile' | 'nothing'
  asks: PlannedAsk[]
  conditions: PlannedCondition[]
  notRecorded: string[]
  notComputable: string[]
}

/** A subject of the catalogue under the id that the plan uses for it. */
type PlanClass = { id: string; value: string }
export type PlanSubject = { id: string; subject: Subject; name: string; topic?: Topic; classes: PlanClass[] }
/** `places`: the phrases of the question that name a state or an LGA of the index. */
export type PlanContext = {
  question: string
  choices: readonly PlanSubject[]
  reading: Reading
  places: ReadonlySet<string>
}

/** Groups are the units of the index, or the classes of a category. */
const canGroup = ({ subject, topic }: PlanSubject): boolean =>
  subject.kind === 'index'
    ? subject.figure !== 'frames' && subject.figure !== 'area'
    : topic?.type === 'category' && topic.summary === 'mode' && subject.kind === 'attribute'

const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: TEXT }
const YES_OR_NO = { type: 'boolean' }
const objectOf = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

export function planSchema(choices: readonly PlanSubject[]): Record<string, unknown> {
  const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id)
  const ofTopics = choices.filter(({ topic }) => topic)
  const classes = choices.flatMap((choice) => idsOf(choice.classes))
  const ask = {
    words: TEXT,
    subject: { enum: [...idsOf(choices), ...classes] },
    operation: { enum: OPERATIONS },
    other: { enum: [NONE, ...idsOf(ofTopics)] },
    n: TEXT,
    by: { enum: [NONE, ...idsOf(choices.filter(canGroup))] },
    measure: { enum: MEASURES },
    order: { enum: ORDERS },
    having: { enum: HAVINGS },
    number: TEXT,
    places: TEXTS,
    isOutside: YES_OR_NO,
    isNearest: YES_OR_NO,
  }
  const condition = { words: TEXT, subject: { enum: [...idsOf(ofTopics), ...classes] }, test: { enum: TESTS }, number: TEXT } // prettier-ignore
  return objectOf({
    wants: { enum: ['figures', 'profile', 'nothing'] },
    asks: { type: 'array', items: objectOf(ask) },
    conditions: { type: 'array', items: objectOf(condition) },
    notRecorded: TEXTS,
    notComputable: TEXTS,
  })
}

/** Why a plan is refused. */
export class PlanRefused extends Error {}

function refuseIf(fault: boolean, why: string): void {
  if (fault) throw new PlanRefused(why)
}

function required<Value>(one: Value | undefined, why: string): Value {
  if (one === undefined) throw new PlanRefused(why)
  return one
}

const MOST = { asks: 8, conditions: 3, places: 4, named: 10, count: 50 }

export function readingOfPlan(plan: ReadingPlan, context: PlanContext): Reading {
  const { asks, conditions, wants, notRecorded, notComputable } = plan
  const isLong = asks.length > MOST.asks || conditions.length > MOST.conditions
  refuseIf(isLong || notRecorded.length + notComputable.length > MOST.named, 'too many entries')
  refuseIf(comparedNumbers(plan).length > 1, 'two comparisons')
  const where = conditions.map((condition) => conditionOf(condition, context))
  refuseIf(where.length > 0 && asks.length === 0, 'a condition without a figure')
  const places = placesOfPlan(asks, context)
  const spansOf = (named: readonly string[]) => [...new Set(named.map((words) => spanOf(context.question, words)))]
  const [unknown, unanswered] = [spansOf(notRecorded), spansOf(notComputable)]
  const made = asks.map((ask, i) => askOf(ask, { where, places: places?.[i] }, context))
  checkWants(plan, made, context)
  checkLeftOver(plan, context)
  // A figure beside words that nothing records is the nearest, and no answer.
  const isNearest = made.length === 1 && unknown.length > 0
  return {
    asks: isNearest ? made.map((ask) => ({ ...ask, isNearest })) : made,
    unknown,
    unanswered,
    ...(places ? { places: places.flat() } : {}),
    wants,
  }
}

const comparedNumbers = ({ asks, conditions }: ReadingPlan): string[] =>
  [...asks, ...conditions].map(({ number }) => number).filter((number) => number !== '')

function checkWants(
  { wants, notRecorded, notComputable }: ReadingPlan,
  asks: readonly Ask[],
  { reading }: PlanContext,
) {
  const named = notRecorded.length + notComputable.length
  const isEmpty = asks.length + named === 0
  const isNear = named === 0 && asks.some(({ isNearest }) => isNearest)
  refuseIf(isNear, 'a nearest figure without words that are not recorded')
  refuseIf(wants === 'figures' && isEmpty, 'figures without a subject')
  refuseIf(wants !== 'figures' && !isEmpty, 'a profile with a subject')
  refuseIf(wants !== 'figures' && reading.asks.length > 0, 'figures that were understood are dropped')
}

/**
 * A greeting or a question of another subject as a whole has no figures: its words need no account. A number that the
 * plan passes over would change what the question means: "more than 5,000", "in 1950".
 */
function checkLeftOver(plan: ReadingPlan, context: PlanContext): void {
  const { question, reading } = context
  const { asks, conditions, notRecorded, notComputable } = plan
  if (plan.wants !== 'figures') return
  const named = [...asks.flatMap(({ places }) => places), ...notRecorded, ...notComputable].flatMap(foldedWords)
  const accounted = new Set([...named, ...[...asks, ...conditions].flatMap(({ words }) => foldedWords(words))])
  const leftOver = [...reading.unknown, ...reading.unanswered].flatMap(foldedWords)
  refuseIf(!leftOver.every((word) => accounted.has(word)), 'words that nothing accounts for')
  const used = [...asks.map(({ n }) => n), ...comparedNumbers(plan)].filter((number) => number !== '').map(canonical)
  const ids = [
    ...asks.flatMap(({ subject, other, by }) => [subject, other, by]),
    ...conditions.map((each) => each.subject),
  ]
  const topics = ids.flatMap((id) => (id === NONE ? [] : (choiceOf(context, id).topic ?? [])))
  for (const { text, values } of numbersIn(question)) {
    const isKnown = values.some(
      (value) => used.includes(value) || topics.some((topic) => hasYear(topic, Number(value))),
    )
    refuseIf(!isKnown && !foldedWords(text).every((word) => named.includes(word)), 'a number is passed over')
  }
}

/** The subject of an id, or the subject that an id of a class belongs to. */
function choiceOf({ choices }: PlanContext, id: string): PlanSubject {
  const choice = choices.find((each) => each.id === id || each.classes.some((own) => own.id === id))
  return required(choice, 'an unknown subject')
}

const classOf = ({ classes }: PlanSubject, id: string): string =>
  required(classes.find((each) => each.id === id)?.value, 'an unknown class')

type AskScope = { where: Condition[]; places: NamedPlace[] | undefined }

function askOf(planned: PlannedAsk, { where, places }: AskScope, context: PlanContext): Ask {
  const { words, subject, operation, other, by, having, number } = planned
  const choice = choiceOf(context, subject)
  spanOf(context.question, words)
  const isClass = choice.id !== subject
  refuseIf(isClass !== (operation === 'class'), 'a class without use')
  refuseIf(operation === 'frames' && where.length === 0, 'frames are counted without a condition')
  const limits = where.length + (places ?? context.reading.places ?? []).length
  refuseIf(operation === 'portion' && limits === 0, 'a portion without a condition')
  refuseIf((other !== NONE) !== (operation === 'per' || operation === 'change'), 'a second subject without use')
  refuseIf((by !== NONE) !== (operation === 'by'), 'groups without use')
  refuseIf(number !== '' && (operation !== 'by' || having === 'all'), 'a number without use')
  const made = operation === 'by' ? groupsOf(planned, choice, context) : operationOf(planned, choice, context)
  return {
    subject: choice.subject,
    operation: made,
    where,
    ...defined({ places, isNearest: planned.isNearest || undefined }),
  }
}

const NOT_THERE = 'an operation that its subject does not have'

/** A category has a most common class in each group: no order and no test. */
function groupsOf(planned: PlannedAsk, choice: PlanSubject, context: PlanContext): Operation {
  const { measure, order, having, number, subject } = planned
  const { topic } = choice
  const by = choiceOf(context, planned.by)
  refuseIf(!canGroup(by) || by === choice, 'these subjects cannot be compared')
  const isCategory = topic?.type === 'category'
  refuseIf(topic ? topic.summary === 'none' : canGroup(choice), NOT_THERE)
  refuseIf(isCategory && (measure !== 'usual' || order !== 'none' || having !== 'all'), NOT_THERE)
  refuseIf(measure !== 'usual' && !(topic && canHave(topic, measure)), NOT_THERE)
  refuseIf(order !== 'none' && having !== 'all', 'groups in an order that pass a test')
  const test = having === 'all' ? undefined : testOf({ test: having, number, subject }, choice, context)
  const n = countOf(planned, order !== 'none', context)
  const ranked = order === 'none' ? undefined : order
  return {
    op: 'by',
    by: by.subject,
    ...defined({ measure: measure === 'usual' ? undefined : measure, order: ranked, n, having: test }),
  }
}

function operationOf(planned: PlannedAsk, choice: PlanSubject, context: PlanContext): Operation {
  const { operation, other, subject } = planned
  const { topic } = choice
  const isRank = operation === 'highest' || operation === 'lowest'
  const n = countOf(planned, isRank, context)
  if (operation === 'by' || operation === 'usual') return { op: 'usual' }
  refuseIf(!topic || !canHave(topic, isRank ? 'rank' : operation), NOT_THERE)
  if (operation === 'class') return { op: operation, value: classOf(choice, subject) }
  if (isRank) return { op: 'rank', order: operation, ...defined({ n }) }
  if (operation !== 'per' && operation !== 'change') return { op: operation }
  const second = choiceOf(context, other)
  const isSeries = second.topic?.series === topic?.series
  const isFit = operation === 'change' ? isSeries : second.topic !== undefined && isAdded(second.topic)
  refuseIf(second === choice || !isFit, 'these subjects cannot be compared')
  return { op: operation, other: second.subject }
}

function countOf({ n }: PlannedAsk, isCounted: boolean, context: PlanContext): number | undefined {
  if (n === '') return undefined
  refuseIf(!isCounted, 'a number without use')
  const count = Number(numberOfQuestion(n, context))
  refuseIf(!Number.isInteger(count) || count < 1 || count > MOST.count, 'a count that cannot be')
  return count
}

function numberOfQuestion(number: string, { question }: PlanContext): string {
  refuseIf(!/^\d{1,15}(\.\d{1,6})?$/.test(number), 'a number that is no plain decimal')
  const value = canonical(number)
  refuseIf(!numbersIn(question).some(({ values }) => values.includes(value)), 'a number that is not in the question')
  return value
}

function conditionOf(planned: PlannedCondition, context: PlanContext): Condition {
  const choice = choiceOf(context, planned.subject)
  spanOf(context.question, planned.words)
  const isOfClass = planned.test === 'class' || planned.test === 'not_class'
  // "Schools with more than 300 pupils" are no frames: only a class of a property selects frames.
  refuseIf(choice.subject.kind === 'property' && !isOfClass, 'a test that its subject does not have')
  return { subject: choice.subject, test: testOf(planned, choice, context) }
}

type PlannedTest = Omit<PlannedCondition, 'words'>

function testOf({ test, number, subject }: PlannedTest, choice: PlanSubject, context: PlanContext): Test {
  if (test === 'class' || test === 'not_class') return { test, value: classOf(choice, subject) }
  const isMeasured = choice.topic ? choice.topic.type !== 'category' : choice.subject.kind === 'index'
  refuseIf(!isMeasured || choice.id !== subject, 'a test that its subject does not have')
  refuseIf(number !== '' && !(test in BOUNDS), 'a number without use')
  if (test === 'any' || test === 'none') return { test }
  return { test: 'bounds', [BOUNDS[test]]: numberOfQuestion(number, context) }
}

const plain = (text: string) => plainWordsOf(text).join(' ')

/** The places of each ask. Without any, the places of the question stand for all of them. */
function placesOfPlan(asks: readonly PlannedAsk[], context: PlanContext): NamedPlace[][] | undefined {
  refuseIf(
    asks.some(({ places, isOutside }) => isOutside && places.length === 0),
    'outside of no place',
  )
  if (asks.every(({ places }) => places.length === 0)) return undefined
  const named = asks.map(({ places, isOutside }) => {
    refuseIf(places.length > MOST.places, 'too many entries')
    return places.map((words): NamedPlace => {
      const { isExcluded, ...place } = placeOf(spanOf(context.question, words), context)
      refuseIf(isExcluded === true && !isOutside, 'inside of a place that the question leaves out')
      return isOutside ? { ...place, isExcluded: true } : place
    })
  })
  const { places: own = [] } = context.reading
  const isNamed = (place: NamedPlace) => named.flat().some(({ text }) => plain(text) === plain(place.text))
  refuseIf(!own.every(isNamed), 'a place is passed over')
  return named
}

function placeOf(text: string, { reading, choices, places }: PlanContext): NamedPlace {
  const own = reading.places?.find((place) => plain(place.text) === plain(text))
  if (own) return own
  const categories = choices.flatMap(({ topic }) =>
    (topic && isOfUnits(topic) ? topic.classes : []).flatMap((value) =>
      topic && plain(value) === plain(text) ? [{ subject: topic.subject, label: topic.label, value }] : [],
    ),
  )
  refuseIf(categories.length === 0 && !places.has(plain(text)), 'a place that neither the index nor the catalogue has')
  return { text, categories }
}

const tokensOf = (text: string) =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: found, index }) => ({
    text: fold(found),
    start: index,
    end: index + found.length,
  }))
const foldedWords = (text: string): string[] => tokensOf(text).map(({ text: word }) => word)

/** Returns the words as the question has them. They stand in it one after another, in any case and with any accents. */
export function spanOf(question: string, words: string): string {
  const tokens = tokensOf(question)
  const wanted = foldedWords(words)
  const first = tokens.findIndex((_, place) => wanted.every((word, i) => tokens[place + i]?.text === word))
  const [from, to] = [tokens[first], tokens[first + wanted.length - 1]]
  const isThere = wanted.length > 0 && from && to
  return required(isThere ? question.slice(from.start, to.end) : undefined, 'words that are not in the question')
}

/** Digits in groups of three, or digits, each with a fraction and the letters that follow. */
const NUMBER = /(?<![\p{N}.,])(?:\d{1,3}(?:([ ,.'’])\d{3})(?:\1\d{3})*(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(\p{L}*)/gu

/**
 * Each number of the question, with the plain decimals that it may stand for: "5.000" is 5 or 5000. A number with
 * letters, such as "5k", stands for none.
 */
export const numbersIn = (question: string): { text: string; values: string[] }[] =>
  [...question.normalize('NFKC').matchAll(NUMBER)].map(({ 0: text, 1: separator, 2: letters }) => {
    if (letters) return { text, values: [] }
    const whole = separator === undefined ? text : text.replaceAll(separator, '')
    const readings = [whole, ...(/^\d{1,3}\.\d{3}$/.test(text) ? [text] : [])]
    return { text, values: readings.map((each) => canonical(each.replace(',', '.'))) }
  })

/** "007.50" is "7.5". */
const canonical = (decimal: string): string => trimDecimal(decimal.replace(/^0+(?=\d)/, ''))

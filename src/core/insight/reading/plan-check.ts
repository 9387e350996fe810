/**
 * Turns a plan of the model into a Reading, or refuses it. The schema has passed by then. These rules hold beyond it:
 * every number of the plan stands in the question and every number of the question is used or named; every word that
 * the deterministic reading left over is accounted for; a year is a year of the subject; a place is one that the index
 * or the catalogue has; and at most one comparison.
 */
import {
  NO_OTHER,
  canBeOther,
  canGroup,
  type PlanContext,
  type PlanSubject,
  type ReadingPlan,
  type PlannedAsk,
  type PlannedCondition,
  type PlannedFigure,
  type PlannedGroups,
} from './plan-schema.js'
import { canonical, foldedWords, numbersIn } from './plan-numbers.js'
import { placesOfPlan } from './plan-places.js'
import { PlanRefused, refuseIf, spanOf } from './plan-refusal.js'
import { hasYear } from './topics.js'
import type { Ask, Condition, NamedPlace, Operation, Reading, Test } from './reading.js'

const PLANNED_ASKS_MAX = 8
const PLANNED_CONDITIONS_MAX = 3
const NAMED_MAX = 10
const COUNT_MAX = 50

export function readingOfPlan(plan: ReadingPlan, context: PlanContext): Reading {
  const { asks, conditions, wants, compares } = plan
  refuseIf(asks.length > PLANNED_ASKS_MAX, 'too many figures')
  refuseIf(conditions.length > PLANNED_CONDITIONS_MAX, 'too many conditions')
  refuseIf(plan.notRecorded.length + plan.notComputable.length > NAMED_MAX, 'too many words')
  refuseIf(comparedNumbers(plan).length > 1, 'two comparisons')
  const where = conditions.map((condition) => conditionOf(condition, context))
  const places = placesOfPlan(asks, context)
  const reading: Reading = {
    asks: asks.map((ask, i) => askOf(ask, { where, places: places?.[i] }, context)),
    unknown: spansOf(plan.notRecorded, context),
    unanswered: spansOf(plan.notComputable, context),
    // A comparison of units has the figures of units, not of frames.
    compares: compares && !asks.some(({ operation }) => operation === 'by'),
    ...(places ? { places: places.flat() } : {}),
    wants,
  }
  refuseIf(where.length > 0 && asks.length === 0, 'a condition without a figure')
  checkWants(reading, context)
  const marked = withNearest(reading)
  checkLeftOver(plan, context)
  checkNumbers(plan, context)
  return marked
}

const comparedNumbers = ({ asks, conditions }: ReadingPlan): string[] =>
  [...asks, ...conditions].flatMap((each) => ('number' in each && each.number !== '' ? [each.number] : []))

/** A figure beside words that nothing records is the nearest, and no answer. */
function withNearest(reading: Reading): Reading {
  const isOnly = reading.asks.length === 1 && reading.unknown.length > 0
  refuseIf(
    reading.unknown.length + reading.unanswered.length === 0 && reading.asks.some(({ isNearest }) => isNearest),
    'a nearest figure without words that are not recorded',
  )
  return isOnly ? { ...reading, asks: reading.asks.map((ask) => ({ ...ask, isNearest: true as const })) } : reading
}

function checkWants({ asks, unknown, unanswered, wants }: Reading, { reading }: PlanContext): void {
  const isEmpty = asks.length + unknown.length + unanswered.length === 0
  refuseIf(wants === 'figures' && isEmpty, 'figures without a subject')
  refuseIf(wants !== 'figures' && !isEmpty, 'a profile with a subject')
  refuseIf(wants !== 'figures' && reading.asks.length > 0, 'figures that were understood are dropped')
}

/** A greeting or a question of another subject as a whole has no figures: its words need no account. */
function checkLeftOver(plan: ReadingPlan, { reading }: PlanContext): void {
  if (plan.wants !== 'figures') return
  const named = [
    ...plan.asks.flatMap(({ words, places }) => [words, ...places]),
    ...plan.conditions.map(({ words }) => words),
  ]
  const accounted = new Set([...named, ...plan.notRecorded, ...plan.notComputable].flatMap(foldedWords))
  const leftOver = [...reading.unknown, ...reading.unanswered].flatMap(foldedWords)
  refuseIf(!leftOver.every((word) => accounted.has(word)), 'words that nothing accounts for')
}

/** A number that the plan passes over would change what the question means: "more than 5,000", "in 1950". */
function checkNumbers(plan: ReadingPlan, { question, choices }: PlanContext): void {
  if (plan.wants !== 'figures') return
  const used = [...plan.asks.map(({ n }) => n), ...comparedNumbers(plan)]
  const values = new Set(used.filter((number) => number !== '').map(canonical))
  const places = plan.asks.flatMap((ask) => ask.places)
  const named = new Set([...plan.notRecorded, ...plan.notComputable, ...places].flatMap(foldedWords))
  const ids = plan.asks.flatMap((ask) => [ask.subject, ask.operation === 'by' ? ask.by : ask.other])
  const subjects = [...ids, ...plan.conditions.map(({ subject }) => subject)]
  const topics = subjects.flatMap((id) => subjectChoice(choices, id)?.topic ?? [])
  for (const number of numbersIn(question)) {
    const isUsed = number.values.some((value) => values.has(value))
    const isYear = number.values.some((value) => topics.some((topic) => hasYear(topic, Number(value))))
    refuseIf(
      !isUsed && !isYear && !foldedWords(number.text).every((word) => named.has(word)),
      'a number is passed over',
    )
  }
}

const spansOf = (named: readonly string[], { question }: PlanContext): string[] => [
  ...new Set(named.map((words) => spanOf(question, words))),
]

/** The subject of an id, or the subject that an id of a class belongs to. */
const subjectChoice = (choices: readonly PlanSubject[], id: string): PlanSubject | undefined =>
  choices.find((choice) => choice.id === id || choice.classes.some((each) => each.id === id))

function knownChoice({ choices }: PlanContext, id: string): PlanSubject {
  const choice = subjectChoice(choices, id)
  if (!choice) throw new PlanRefused('an unknown subject')
  return choice
}

const classOf = ({ classes }: PlanSubject, id: string): string => {
  const found = classes.find((each) => each.id === id)
  if (!found) throw new PlanRefused('an unknown class')
  return found.value
}

type AskScope = { where: Condition[]; places: NamedPlace[] | undefined }

function askOf(planned: PlannedAsk, { where, places }: AskScope, context: PlanContext): Ask {
  const choice = knownChoice(context, planned.subject)
  spanOf(context.question, planned.words)
  refuseIf(planned.operation === 'frames' && where.length === 0, 'frames are counted without a condition')
  const { length: limits } = [...where, ...(places ?? context.reading.places ?? [])]
  refuseIf(planned.operation === 'portion' && limits === 0, 'a portion without a condition')
  return {
    subject: choice.subject,
    operation: planned.operation === 'by' ? groupsOperation(planned, context) : plannedOperation(planned, context),
    where,
    ...(places ? { places } : {}),
    ...(planned.isNearest ? { isNearest: true as const } : {}),
  }
}

function groupsOperation(planned: PlannedGroups, context: PlanContext): Operation {
  const { subject, measure, order, having, number } = planned
  const choice = knownChoice(context, subject)
  const by = knownChoice(context, planned.by)
  refuseIf(!canGroup(by) || by === choice, 'these subjects cannot be compared')
  refuseIf(order !== 'none' && having !== 'all', 'groups in an order that pass a test')
  refuseIf(number !== '' && having === 'all', 'a number without use')
  const n = countOf(planned, context)
  return {
    op: 'by',
    by: by.subject,
    ...(measure === 'usual' ? {} : { measure }),
    ...(order === 'none' ? {} : { order }),
    ...(n === undefined ? {} : { n }),
    ...(having === 'all' ? {} : { having: testOf({ test: having, number, subject }, choice, context) }),
  }
}

function plannedOperation(planned: PlannedFigure, context: PlanContext): Operation {
  const { operation, other } = planned
  const choice = knownChoice(context, planned.subject)
  const n = countOf(planned, context)
  refuseIf(other !== NO_OTHER && operation !== 'per' && operation !== 'change', 'a second subject without use')
  if (operation === 'class') return { op: operation, value: classOf(choice, planned.subject) }
  if (operation === 'highest' || operation === 'lowest')
    return { op: 'rank', order: operation, ...(n === undefined ? {} : { n }) }
  if (operation === 'part') {
    if (n === undefined) throw new PlanRefused('a part without a number')
    return { op: operation, n }
  }
  if (operation === 'per' || operation === 'change') {
    const second = knownChoice(context, other)
    refuseIf(!canBeOther(operation, choice, second), 'these subjects cannot be compared')
    return { op: operation, other: second.subject }
  }
  return { op: operation }
}

const WITH_COUNT = ['highest', 'lowest', 'part']

function countOf(planned: PlannedAsk, context: PlanContext): number | undefined {
  const { operation, n } = planned
  if (n === '') return undefined
  const isCounted = operation === 'by' ? planned.order !== 'none' : WITH_COUNT.includes(operation)
  refuseIf(!isCounted, 'a number without use')
  const count = Number(numberOfQuestion(n, context))
  refuseIf(!Number.isInteger(count) || count < 1 || count > COUNT_MAX, 'a count that cannot be')
  return count
}

function numberOfQuestion(number: string, { question }: PlanContext): string {
  refuseIf(!/^\d{1,15}(\.\d{1,6})?$/.test(number), 'a number that is no plain decimal')
  const value = canonical(number)
  refuseIf(!numbersIn(question).some(({ values }) => values.includes(value)), 'a number that is not in the question')
  return value
}

function conditionOf(planned: PlannedCondition, context: PlanContext): Condition {
  const choice = knownChoice(context, planned.subject)
  spanOf(context.question, planned.words)
  return { subject: choice.subject, test: testOf(planned, choice, context) }
}

const BOUND_FIELDS = { above: 'above', at_least: 'atLeast', below: 'below', at_most: 'atMost' } as const

function testOf(
  { test, number, subject }: Omit<PlannedCondition, 'words'>,
  choice: PlanSubject,
  context: PlanContext,
): Test {
  const isBound = test in BOUND_FIELDS
  refuseIf(number !== '' && !isBound, 'a number without use')
  if (test === 'class' || test === 'not_class') return { test, value: classOf(choice, subject) }
  if (test === 'any' || test === 'none') return { test }
  return { test: 'bounds', [BOUND_FIELDS[test]]: numberOfQuestion(number, context) }
}

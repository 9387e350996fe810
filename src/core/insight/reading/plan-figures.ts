/** Makes figures of the algebra of a plan. A plan that does not go together is refused: nothing of it is ignored. */
import type { AlgebraFigure, Subject } from '../../figures/index.js'
import { unitOfMeasureAt, type UnitOfMeasure } from '../../numbers/index.js'
import { isUnitLevel } from '../../place.js'
import { extentOf, meanOver, weightedBy } from './amount-productions.js'
import { compared, KM2, namesOf, perLand } from './calculations.js'
import {
  type Amount,
  amountOf,
  type Calculation,
  closed,
  type Condition,
  countOf,
  featuresOf,
  type FigureFragment,
  figureOf,
  framesOf,
  isOfUnits,
  limitedAmount,
  meanOf,
  nameOf,
  propertyOf,
} from './fragments.js'
import { placeName } from '../../place-name.js'
import type { JudgedPlan, PlanElement } from './ties.js'
import type { PlannedFigure, PlannedTest, ReadingPlan } from './plan.js'
import { planFacts } from './plan-facts.js'
import {
  DOES_NOT_FIT,
  fits,
  indexName,
  isOfFeatures,
  isOfIndex,
  numberOfQuestion,
  ownerOf,
  placeOf,
  type PlanContext,
  subjectOf,
  testSubjects,
  unitOf,
  whereOf,
} from './plan-tests.js'
import { needed, refuseIf, spanOf } from './plan-words.js'
import { ofClass, ofKind, recorded } from './conditions.js'
import { isAdded, layerOf, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

export type MadeFigure = {
  figure: AlgebraFigure
  measure: string | undefined
  subject: Subject
  subjects: Subject[]
  words: string
}
type MadePlan = { figures: MadeFigure[]; judged: JudgedPlan }

const COUNT_MAX = 50
/** One figure of a plan, before its groups and before it is combined with another. */
type Part = {
  planned: PlannedFigure
  calculation: FigureFragment
  elements: PlanElement[]
  topics: Topic[]
  words: string
}

export function madePlan(plan: ReadingPlan, context: PlanContext): MadePlan {
  const parts = plan.figures.map((figure) => partOf(figure, plan, context))
  const own = plan.combine === undefined ? parts : [combinedParts(plan.combine, parts)]
  const made = own.map((part) => ({ ...part, calculation: groupedBy(part.planned, part.calculation, context) }))
  const judged: JudgedPlan = {
    ...planFacts(
      plan,
      made.map(({ calculation }) => calculation),
    ),
    elements: parts.flatMap(({ elements }) => elements),
    harmless: plan.harmless.map((words) => spanOf(context.question, words)),
    count: plan.figures.length,
  }
  return { figures: made.map(figureOfPart), judged }
}

function figureOfPart({ calculation, topics, words }: Part): MadeFigure {
  const { topic, is } = calculation.of
  const subject: Subject = topic?.subject ?? { kind: 'index', figure: is === 'land' ? 'area' : 'frames' }
  const subjects = [...new Set(topics)].map((each) => each.subject)
  return { figure: figureOf(calculation), measure: calculation.unit?.name, subject, subjects, words }
}

/** Two figures without arithmetic of their own become one, in the groups, the order and the unit that either has. */
function combinedParts(op: NonNullable<ReadingPlan['combine']>, parts: readonly Part[]): Part {
  const [one, other, ...more] = parts
  const isPlain = parts.every(({ calculation }) => calculation.op === undefined)
  refuseIf(!one || !other || more.length > 0 || !isPlain, DOES_NOT_FIT)
  const [first, second] = [fits(one), fits(other)]
  const planned = { ...second.planned, ...first.planned }
  const isShared = (['by', 'within', 'order', 'n', 'unit'] as const).every(
    (key) =>
      (first.planned[key] ?? planned[key]) === planned[key] && (second.planned[key] ?? planned[key]) === planned[key],
  )
  refuseIf(!isShared || (op === 'percent' && planned.unit !== undefined), DOES_NOT_FIT)
  const unit = planned.unit === undefined ? undefined : (first.calculation.unit ?? second.calculation.unit)
  return {
    planned,
    calculation: { ...fits(compared(op, first.calculation.of, second.calculation.of)), ...(unit && { unit }) },
    elements: [...first.elements, ...second.elements],
    topics: [...first.topics, ...second.topics],
    words: `${first.words}, ${second.words}`,
  }
}

function partOf(planned: PlannedFigure, { combine }: ReadingPlan, context: PlanContext): Part {
  const { measure, other = '', by = '', where = [], whole = [] } = planned
  const words = spanOf(context.question, planned.words)
  const ids = [measure, other, by].filter((id) => id !== '' && !isOfIndex(id))
  const own = ids.map((id) => subjectOf(context, id))
  const calculation = calculationOf(planned, context)
  const elements = [
    { ...elementOf(words, own, measure), does: [...factsOfPlanned(planned), ...(combine ? [combine] : [])] },
    ...[...where, ...whole].flat().map((test) => elementOfTest(test, context)),
  ]
  return { planned, calculation, elements, topics: elements.flatMap(({ topics }) => topics), words }
}

const FACTS: Partial<Record<NonNullable<PlannedFigure['how']>, string>> = { share: 'percent', percentile: 'quantile' }
const factsOfPlanned = ({ how = 'usual', other = '', order }: PlannedFigure): string[] => [
  FACTS[how] ?? how,
  ...(how === 'mean' && other !== '' && !isUnitLevel(other) ? ['weight'] : []),
  ...(order ? [order] : []),
]
const FACTS_OF_TESTS: Partial<Record<PlannedTest['is'], string>> = {
  any: 'some', none: 'not', is_not: 'not', unrecorded: 'recorded', recorded: 'recorded', within: 'near', beyond: 'near',
  above: 'bound:above', at_least: 'bound:atLeast', below: 'bound:below', at_most: 'bound:atMost', equals: 'bound:equals',
} // prettier-ignore

function elementOfTest(test: PlannedTest, context: PlanContext): PlanElement {
  const { subject, is, value = '' } = test
  const words = spanOf(context.question, test.words)
  const fact = FACTS_OF_TESTS[is]
  const does = fact === undefined ? [] : [fact]
  if (subject !== 'place') return { ...elementOf(words, testSubjects(test, context), subject), does }
  const place = placeOf(test, context)
  const isNear = !context.places.includes(place) && !context.places.some(({ text }) => text === place.text)
  return {
    ...elementOf(words, [], value),
    name: isNear ? placeName(place.levels[0]?.names[0] ?? value) : value,
    ...(isNear && { near: place.text }),
    does,
  }
}

function elementOf(words: string, own: readonly ReturnType<typeof subjectOf>[], id: string): PlanElement {
  const first = isOfIndex(id) ? undefined : own[0]
  const name = first && (first.value === undefined ? first.name : `${first.name}: ${first.value}`)
  return {
    words,
    name: name ?? indexName(id) ?? id,
    topics: own.map(({ topic }) => topic),
    values: own.flatMap(({ topic, value }) => (value === undefined ? [] : [{ topic, value }])),
    does: [],
  }
}

/** What is measured, with a test where the measure is a class. */
function measured(id: string, context: PlanContext): { amount: Amount; ofClass?: Condition; recordedBy?: Condition } {
  if (id === 'frames') return { amount: countOf(framesOf()) }
  if (id === 'land') return { amount: { is: 'land', things: framesOf() } }
  if (isUnitLevel(id)) return { amount: countOf({ of: id, where: [], among: [] }) }
  const { topic, value } = subjectOf(context, id)
  if (value !== undefined && isOfFeatures(topic))
    return { amount: countOf(featuresOf(ownerOf(context, topic))), ofClass: ofKind({ topic, value }) }
  if (value !== undefined)
    return { amount: countOf(framesOf()), ofClass: ofClass({ topic, value }), recordedBy: recorded(topic) }
  if (topic.type === 'features') return { amount: countOf(featuresOf(topic)) }
  if (isOfFeatures(topic)) return { amount: fits(propertyOf(topic, featuresOf(ownerOf(context, topic)))) }
  return { amount: amountOf(topic) }
}

function calculationOf(planned: PlannedFigure, context: PlanContext): Calculation {
  const { how = 'usual', where = [], whole = [], other = '', factor = '' } = planned
  const { amount, ofClass: own, recordedBy } = measured(planned.measure, context)
  refuseIf((how === 'ratio' || how === 'change') !== (other !== '' && how !== 'mean' && how !== 'median'), DOES_NOT_FIT)
  refuseIf(how !== 'share' && whole.length > 0, DOES_NOT_FIT)
  refuseIf(how !== 'ratio' && factor !== '', 'a number without use')
  const start = whereOf(
    how === 'share' && recordedBy ? fits(limitedAmount(amount, recordedBy)) : amount,
    whole,
    context,
  )
  const part = whereOf(own ? fits(limitedAmount(start, own)) : start, where, context)
  return inUnit(planned, madeOf({ planned, part, start, context }))
}

type Made = { planned: PlannedFigure; part: Amount; start: Amount; context: PlanContext }

function madeOf({ planned, part, start, context }: Made): Calculation {
  const { how = 'usual', other = '', factor = '' } = planned
  switch (how) {
    case 'share':
      refuseIf(JSON.stringify(part) === JSON.stringify(start) && planned.by === undefined, 'a share of everything')
      return fits(compared('percent', part, start))
    case 'ratio':
      return ratioOf({ planned, part, context }, factor)
    case 'change':
      return changeOf(part, subjectOf(context, other).topic)
    case 'extent':
      return asFigure(extentOfThings(part))
    case 'mean':
    case 'median':
      return asFigure(meanOfThings(part, how, { other, context }))
    case 'percentile': {
      const { n = '' } = planned
      const at = Number(context.ordinals.includes(n) ? n : numberOfQuestion(n, context)) / 100
      refuseIf(at > 1, 'a percentile that cannot be')
      return asFigure(withAt(closed(part, 'quantile'), at))
    }
    case 'names':
      return fits(namesOf(part.things) ?? allOf(part.things))
    case 'usual':
    case 'count':
      refuseIf(how === 'count' && !isCounted(part), DOES_NOT_FIT)
      // The value of a whole unit, on each of its frames, neither adds up nor has an average.
      return asFigure(closed(part) ?? (part.topic?.summary === 'none' ? closed(part, 'max') : undefined))
    case 'distinct':
      return asFigure(part.topic?.type === 'category' && part.is === 'attribute' ? { ...part, how } : undefined)
    case 'mode':
      return asFigure(part.topic?.type === 'category' ? closed(part, how) : undefined)
    case 'total':
      return asFigure(closed(part, part.is === 'count' ? 'count' : 'sum'))
    case 'min':
    case 'max':
      return asFigure(closed(part, how))
  }
}

const allOf = (things: Amount['things']): FigureFragment | undefined =>
  things.of === 'features' ? { of: { ...countOf(things), how: 'count' }, by: { each: true } } : undefined
const asFigure = (amount: Amount | undefined): Calculation => ({ of: fits(closed(fits(amount))) })
const isCounted = ({ is, topic }: Amount) => is === 'count' || (topic !== undefined && isAdded(topic))

/** Tests of the features' own classes are of them alone; others hold on both sides. */
function ratioOf({ planned, part, context }: Omit<Made, 'start'>, factor: string): Calculation {
  const { where = [], other = '', unit = '' } = planned
  if (other === 'land') {
    refuseIf(factor !== '', 'a number without use')
    return fits(perLand(part, unit === '' ? KM2 : unitOf(unit, context)))
  }
  const { amount, ofClass: own } = measured(other, context)
  const isOwn = (test: PlannedTest) =>
    testSubjects(test, context).some(({ topic }) => isOfFeatures(topic) && layerOf(topic) === layerOf(part.topic))
  const shared = where.filter((any) => !any.some(isOwn))
  const to = whereOf(own ? fits(limitedAmount(amount, own)) : amount, shared, context)
  const times = factor === '' ? {} : { times: numberOfQuestion(factor, context) }
  return { ...fits(compared('ratio', part, to)), ...times }
}

function changeOf(part: Amount, older: Topic): Calculation {
  refuseIf(part.is !== 'attribute' || !part.topic, DOES_NOT_FIT)
  refuseIf(part.topic === older || part.topic?.series !== older.series, 'these subjects cannot be compared')
  return fits(compared('change', part, { ...part, topic: older }))
}

const KM: UnitOfMeasure = { name: 'km', dimension: 'length', factor: '1000' }
const extentOfThings = ({ is, things }: Amount): Amount | undefined =>
  is === 'count' ? (extentOf(things, KM) ?? extentOf(things, KM2)) : undefined

type Over = { other: string; context: PlanContext }
/** A mean goes over features that have the property, over frames, or over units; or it is weighted. */
function meanOfThings(part: Amount, how: 'mean' | 'median', { other, context }: Over): Amount | undefined {
  if (isUnitLevel(other)) return meanOver(part, { of: other, where: [], among: [] }, how)
  // The catalogue has it weighted by area.
  if (other === 'land') return how === 'mean' && part.topic?.summary === 'weighted_mean' ? closed(part) : undefined
  if (other === 'frames') return part.is === 'attribute' ? closed(part, how) : undefined
  if (other !== '')
    return how === 'mean' && part.things.where.length === 0
      ? weightedBy(part, amountOf(subjectOf(context, other).topic))
      : undefined
  return how === 'median' ? closed(part, how) : meanOf(part)
}

function inUnit({ unit = '' }: PlannedFigure, calculation: Calculation): Calculation {
  const { op, of, to } = calculation
  if (unit === '' || (op === 'ratio' && to?.is === 'land')) return calculation
  const own = unitOfMeasureAt(plainWordsOf(unit), 0)?.unit
  const isOfRatio = op === 'ratio' && (of.is === 'land' || of.is === 'extent')
  refuseIf(op !== undefined && !isOfRatio, 'a unit of measure without use')
  return { ...calculation, unit: needed(own, 'an unknown unit of measure') }
}

function groupedBy(planned: PlannedFigure, calculation: Calculation, context: PlanContext): FigureFragment {
  const { by = '', order, within, how } = planned
  const n = how === 'percentile' ? '' : (planned.n ?? '')
  if (by === '') {
    refuseIf(order !== undefined || n !== '' || within !== undefined, 'an order without groups')
    return calculation
  }
  const { of, to } = onEachFrame(by, calculation)
  const isPlain =
    how !== 'names' && how !== 'mode' && how !== 'distinct' && ![of, to].some((each) => each && isOfUnits(each.things))
  refuseIf(!isPlain, DOES_NOT_FIT)
  const number = n === '' ? undefined : countOfQuestion(n, context)
  refuseIf(number !== undefined && order === undefined, 'a number without use')
  refuseIf(within !== undefined && (order === undefined || !isUnitLevel(by) || within === by), DOES_NOT_FIT)
  // A share of everything is told of each group.
  const isOfAll = calculation.op === 'percent' && JSON.stringify(of) === JSON.stringify(to)
  return {
    ...onEachFrame(by, calculation),
    by: groupsOf(by, onEachFrame(by, calculation), context),
    ...(isOfAll && { toBy: null }),
    ...(order && { order }),
    ...(number !== undefined && (isOrdinal(n, context) ? { nth: number } : { n: number })),
    ...(within && within !== 'ward' && { inEach: within }),
  }
}

/** The frame with the most schools: features of a frame are counted as a value of it. */
function onEachFrame(by: string, calculation: Calculation): Calculation {
  const { things, topic } = calculation.of
  if (by !== 'frames' || things.of !== 'features' || !topic || things.where.length > 0) return calculation
  return { ...calculation, of: { is: 'attribute', topic, things: framesOf(things.among), how: 'sum' } }
}

function groupsOf(by: string, { of, op }: Calculation, context: PlanContext): NonNullable<AlgebraFigure['by']> {
  if (isUnitLevel(by)) return { level: by }
  if (by === 'each' || by === 'frames') {
    refuseIf(
      op !== undefined || of.is === 'count' || of.things.of === (by === 'frames' ? 'features' : ''),
      DOES_NOT_FIT,
    )
    return { each: true }
  }
  const { topic, value } = subjectOf(context, by)
  refuseIf(topic.type !== 'category' || value !== undefined, DOES_NOT_FIT)
  const layer = layerOf(topic) ?? ''
  if (!isOfFeatures(topic)) return { class: { of: layer, name: nameOf(topic) } }
  refuseIf(of.things.of !== 'features' || layerOf(of.things.topic) !== layer, DOES_NOT_FIT)
  return { class: { name: nameOf(topic) } }
}

const withAt = (amount: Amount | undefined, at: number): Amount | undefined => amount && { ...amount, at }

/** "The third" is one alone, and "the first three" are three. */
const isOrdinal = (n: string, { ordinals, numbers }: PlanContext) => ordinals.includes(n) && !numbers.includes(n)

function countOfQuestion(text: string, context: PlanContext): number {
  const count = Number(text === '1' || context.ordinals.includes(text) ? text : numberOfQuestion(text, context))
  refuseIf(!Number.isInteger(count) || count < 1 || count > COUNT_MAX, 'a count that cannot be')
  return count
}

/** Lists what a plan does, for the judge: statistics, arithmetic, groups, orders, bounds, negations, numbers and units. */
import { type UnitOfMeasure, unitOfMeasureAt } from '../../numbers/index.js'
import { type Amount, type FigureFragment, figureOf } from './fragments.js'
import type { PlannedFigure, PlannedTest, ReadingPlan } from './plan.js'
import { canonical } from './plan-words.js'
import { layerOf } from './topic.js'
import { plainWordsOf } from './words.js'

/** `places`: names of places and of features, as the plan has them. */
export type PlanFacts = { does: ReadonlySet<string>; numbers: readonly string[]; units: readonly UnitOfMeasure[]; places: readonly string[] } // prettier-ignore

const BOUNDS: Partial<Record<PlannedTest['is'], readonly string[]>> = {
  above: ['bound:above'],
  at_least: ['bound:atLeast'],
  below: ['bound:below'],
  at_most: ['bound:atMost'],
  equals: ['bound:equals'],
  any: ['bound:above', 'some'],
  within: ['near', 'bound:atMost', 'bound:below'],
  beyond: ['near', 'not', 'bound:above', 'bound:atLeast'],
  none: ['not'],
  is_not: ['not'],
  named: ['named'],
}

export function planFacts(plan: ReadingPlan, fragments: readonly FigureFragment[]): PlanFacts {
  const { figures, combine } = plan
  const tests = figures.flatMap(({ where = [], whole = [] }) => [...where, ...whole].flat())
  const groups = figures.flatMap(({ where = [], whole = [] }) => [...where, ...whole])
  const does = [
    ...fragments.flatMap(factsOfFragment),
    ...tests.flatMap(factsOfTest),
    ...(groups.some((any) => any.length > 1) ? ['any'] : []),
    ...(figures.length > 1 ? ['several'] : []),
    ...(combine ? [combine] : []),
  ]
  const numbers = [...figures.flatMap(numbersOfFigure), ...tests.map(({ value = '' }) => value)]
  const units = [...figures, ...tests].flatMap(({ unit = '' }) => unitOfMeasureAt(plainWordsOf(unit), 0)?.unit ?? [])
  return {
    does: new Set(does),
    numbers: numbers.filter((text) => /^\d/.test(text)).map(canonical),
    units,
    places: tests.flatMap(({ subject, is, value }) =>
      (subject === 'place' || is === 'named') && value !== undefined ? [value] : [],
    ),
  }
}

const numbersOfFigure = ({ n = '', factor = '' }: PlannedFigure) => [n, factor]

const factsOfTest = ({ is, value = '' }: PlannedTest): string[] => [
  ...(BOUNDS[is] ?? []),
  ...(/^t\d/.test(value) ? ['minus'] : []),
]

/** Places and whole units are of a level, too: "Lagoon LGA". A test of whole units has a statistic. */
const partsOf = (fragment: FigureFragment): string[] =>
  [...JSON.stringify(figureOf(fragment)).matchAll(/"(units|how)":"(\w+)"/g)].map(([, member, value = '']) =>
    member === 'how' ? value : `level:${value}`,
  )

function factsOfFragment(fragment: FigureFragment): string[] {
  const { of, op, to, by, order, inEach } = fragment
  return [
    ...partsOf(fragment),
    ...[of, ...(to ? [to] : [])].flatMap(factsOfAmount),
    ...(op ? [op] : []),
    ...(op === 'ratio' && to?.is === 'land' ? ['density'] : []),
    ...(by ? ['each' in by ? 'each' : 'grouped'] : []),
    ...(by && 'level' in by ? [`level:${by.level}`] : []),
    ...(inEach ? [`level:${inEach}`] : []),
    ...(order ? [order] : []),
  ]
}

function factsOfAmount({ is, things, topic, own, weight }: Amount): string[] {
  return [
    is,
    ...(is === 'count' ? [`counted:${things.of === 'features' ? (layerOf(topic) ?? '') : things.of}`] : []),
    ...(things.of === 'frames' || things.of === 'features' ? [] : [`level:${things.of}`]),
    ...(own ? factsOfFragment(own) : []),
    ...(weight ? ['weight'] : []),
  ]
}

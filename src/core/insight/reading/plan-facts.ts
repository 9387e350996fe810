/** Lists what a plan or a reading does, for the judge: statistics, arithmetic, groups, orders, bounds, numbers and units. */
import type { AlgebraFigure } from '../../figures/index.js'
import { type UnitOfMeasure, unitOfMeasureAt } from '../../numbers/index.js'
import { isUnitLevel } from '../../place.js'
import { type FigureFragment, figureOf } from './fragments.js'
import type { PlannedFigure, PlannedTest, ReadingPlan } from './plan.js'
import { canonical } from './plan-words.js'
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
  unrecorded: ['not'],
  is_not: ['not'],
  named: ['named'],
}

export function planFacts(plan: ReadingPlan, fragments: readonly FigureFragment[]): PlanFacts {
  const { figures, combine } = plan
  const tests = figures.flatMap(({ where = [], whole = [] }) => [...where, ...whole].flat())
  const groups = figures.flatMap(({ where = [], whole = [] }) => [...where, ...whole])
  const does = [
    ...fragments.flatMap((fragment) => factsOfFigure(figureOf(fragment))),
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
export function factsOfFigure(figure: AlgebraFigure): string[] {
  const facts = [...JSON.stringify(figure).matchAll(/"(units|how)":"(\w+)"/g)].map(([, key, value = '']) =>
    key === 'how' ? value : `level:${value}`,
  )
  JSON.stringify(figure, (key, value: unknown) => {
    const { how, subject, things = 'frames' } = Object(value) as { how?: string; subject?: unknown; things?: string }
    if (how === 'count' && subject === undefined) facts.push(`counted:${things}`)
    if (/^(op|order)$/.test(key)) facts.push(value as string)
    if (/^(level|things|inEach)$/.test(key) && isUnitLevel(value as string)) facts.push(`level:${value as string}`)
    if (/^(weight|extent|nth)$/.test(key)) facts.push(key)
    if (key === 'name' && value === 'geom') facts.push('land')
    if (key === 'by') facts.push('each' in Object(value) ? 'each' : 'grouped')
    return key === 'where' || key === 'among' ? undefined : value
  })
  return figure.op === 'ratio' && figure.to?.subject?.name === 'geom' ? [...facts, 'density'] : facts
}

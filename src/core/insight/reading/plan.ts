/**
 * The language of plans: a flat list of figures, with ids of the catalogue as plain strings. Its schema is one constant,
 * which the API compiles once. The API promises JSON of it, and nothing here relies on that.
 */
import { Ajv } from 'ajv'
import { UNIT_LEVELS, type UnitLevel } from '../../place.js'
import { PlanRefused, refuseIf } from './plan-words.js'

const HOWS = [
  'usual', 'count', 'total', 'mean', 'median', 'percentile', 'min', 'max', 'mode', 'distinct', 'share', 'ratio', 'change', 'extent', 'names',
] as const // prettier-ignore
const COMPARISONS = [
  'is', 'is_not', 'any', 'none', 'recorded', 'unrecorded', 'above', 'at_least', 'below', 'at_most', 'equals', 'within', 'beyond', 'named',
] as const // prettier-ignore
const COMBINES = ['difference', 'ratio', 'percent', 'sum'] as const
const ORDERS = ['highest', 'lowest'] as const

/** `per`: it holds of whole units. `only`: a class of the features that it looks at. */
export type PlannedTest = {
  words: string
  subject: string
  is: (typeof COMPARISONS)[number]
  value?: string
  unit?: string
  only?: string
  per?: UnitLevel
}
/** All of any of these. */
export type PlannedTests = PlannedTest[][]
/**
 * `whole`: what a share is of. `other`: the divisor, the weight, the older values, or what a mean goes over. `n`: the
 * first so many groups, or that of an ordinal alone; or which percentile.
 */
export type PlannedFigure = {
  words: string
  measure: string
  how?: (typeof HOWS)[number]
  where?: PlannedTests
  whole?: PlannedTests
  other?: string
  factor?: string
  by?: string
  within?: UnitLevel
  order?: (typeof ORDERS)[number]
  n?: string
  unit?: string
}
/**
 * `harmless`: words that carry nothing. `rest`: words that nothing records or computes; with them, the figures are the
 * nearest.
 */
export type ReadingPlan = {
  figures: PlannedFigure[]
  combine?: (typeof COMBINES)[number]
  harmless: string[]
  rest: string[]
}

const TEXT = { type: 'string' } as const
const TEXTS = { type: 'array', items: TEXT } as const
const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values }) as const
const objectOf = (properties: Record<string, unknown>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const TEST = objectOf(
  { words: TEXT, subject: TEXT, is: oneOf(COMPARISONS), value: TEXT, unit: TEXT, only: TEXT, per: oneOf(UNIT_LEVELS) },
  ['words', 'subject', 'is'],
)
const TESTS = { type: 'array', items: { type: 'array', items: TEST } } as const
const FIGURE = objectOf(
  {
    words: TEXT,
    measure: TEXT,
    how: oneOf(HOWS),
    where: TESTS,
    whole: TESTS,
    other: TEXT,
    factor: TEXT,
    by: TEXT,
    within: oneOf(UNIT_LEVELS),
    order: oneOf(ORDERS),
    n: TEXT,
    unit: TEXT,
  },
  ['words', 'measure'],
)
export const PLAN_SCHEMA = objectOf(
  { figures: { type: 'array', items: FIGURE }, combine: oneOf(COMBINES), harmless: TEXTS, rest: TEXTS },
  ['figures', 'harmless', 'rest'],
)

const isPlan = new Ajv().compile<ReadingPlan>(PLAN_SCHEMA)
const FIGURES_MAX = 6
const TESTS_MAX = 8
const WORDS_MAX = 12

export function planOf(text: string): ReadingPlan {
  let plan: unknown
  try {
    plan = JSON.parse(text)
  } catch {
    throw new PlanRefused('it is not JSON')
  }
  if (!isPlan(plan)) throw new PlanRefused('it does not match the schema')
  const { figures, harmless, rest } = plan
  const isLong =
    figures.length > FIGURES_MAX ||
    harmless.length + rest.length > WORDS_MAX ||
    figures.some(({ where = [], whole = [] }) => [...where, ...whole].flat().length > TESTS_MAX)
  refuseIf(isLong, 'too many entries')
  refuseIf(figures.length + harmless.length + rest.length === 0, 'no figure and no words')
  return plan
}

/** Reads the figure out of a source, as an answer of unknown origin has it. */
import { isPlainDecimal } from '../../decimal.js'
import type { Figure, Source } from '../figures/typed.js'

type Check = (value: unknown) => boolean
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const having =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]))
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value)

/** PostgreSQL holds no NUL. */
const isText: Check = (value) => typeof value === 'string' && !value.includes('\0')
const isDecimal: Check = (value) => typeof value === 'string' && isPlainDecimal(value)
/** An answer takes no more frames, so no ranking has more. */
const RANKING_MAX = 1000
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= RANKING_MAX

const bound = optional(isDecimal)
const SUBJECT = { layerId: isText, attribute: isText, property: optional(isText) }
const TESTS: readonly Check[] = [
  having({ test: oneOf('none', 'any') }),
  having({ test: oneOf('class', 'not_class'), value: isText }),
  having({ test: oneOf('bounds'), above: bound, atLeast: bound, below: bound, atMost: bound }),
]
const isTest: Check = (value) => TESTS.some((check) => check(value))
const isCondition: Check = (value) => having(SUBJECT)(value) && isTest(value)

const FIGURE: Record<keyof Figure, Check> = {
  ...SUBJECT,
  statistic: isText,
  class: optional(isText),
  n: optional(isCount),
  order: optional(oneOf('highest', 'lowest')),
  other: optional(having(SUBJECT)),
  times: optional(isDecimal),
  of: optional(oneOf('per_km2', 'portion')),
  by: optional(having(SUBJECT)),
  having: optional(isTest),
  unit: optional((value) => Array.isArray(value) && value.length <= 3 && value.every(isText)),
  where: optional((value) => Array.isArray(value) && value.every(isCondition)),
}

/** Returns undefined where a member cannot be one of a source: no figure is computed from it. */
export function figureOfSource(source: Source): Figure | undefined {
  if (!having(FIGURE)(source)) return undefined
  const members = Object.entries(source).filter(
    // The most common class is a result, not a choice.
    ([name, value]) => name in FIGURE && value !== undefined && (name !== 'class' || source.statistic === 'share'),
  )
  return Object.fromEntries(members) as Figure
}

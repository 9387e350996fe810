/**
 * Numbers that are figures only behind some words of a text: a change, a bound of a condition, and a year of a label.
 * The source of a figure says which of its numbers these are.
 */
import { compareDecimals, trimDecimal } from '../../decimal.js'
import type { Source, Test } from '../../figures/index.js'
import { type ReadNumber, readNumbers } from '../../numbers/index.js'

/** Without its source, nothing is known of a figure but its numbers. */
export type StatedFacet = { label: string; value: string; source?: StatedSource }
export type StatedSource = { statistic: string } & Pick<Source, 'where' | 'whole' | 'having'>

export type Stated = {
  value: string
  unit: string | undefined
  noun: string | undefined
  /** Stands before the number, and behind it. */
  before?: RegExp
  after?: RegExp
}

const UPPER = 'within|at most|up to|under|below|less than|fewer than|(?:no|not) (?:more|further|farther) than'
const LOWER =
  '(?<!no |not )(?:more|further|farther|greater) than|above|over|beyond|at least|exceeding|no (?:less|fewer) than'
const LESS =
  /\b(?:fell|fall\w*|decreas\w*|declin\w*|dropp?\w*|shr[aiu]nk\w*|los[est]\w*|fewer|less|lower|down)\b[^.;!?]*$/i
const MORE = /\b(?:gr[eo]w\w*|increas\w*|r[io]se\w*|rising|gain\w*|add\w*|more|higher|up)\b[^.;!?]*$/i
const ABOVE = new RegExp(`(?:\\b(?:${LOWER}|between|from)) $`, 'i')
const BELOW = new RegExp(`(?:\\b(?:${UPPER})|\\d and|\\d to) $`, 'i')
const YEAR = {
  unit: undefined,
  noun: 'year',
  before: /\b(?:in|of|for|from|to|by|since|until|during|between|and|year) $/i,
  // "In 2026 villages" counts them.
  after: /^(?!,?\d|[- ]\p{L}+(?<!\b(?:was|is|has|this|its))s\b)/u,
}

const numbersIn = (text: string): ReadNumber[] => readNumbers(text).flatMap((each) => ('why' in each ? [] : [each]))

/** "An increase of 3,880 people, 2.3 % (from 168,290 people to 172,170 people)" ends with the two that it compares. */
export function numbersOfValue(value: string, source: StatedSource | undefined): Stated[] {
  const numbers = numbersIn(value)
  if (source?.statistic !== 'change') return numbers
  const [from, to] = numbers.slice(-2)
  if (!from || !to) return numbers
  const before = compareDecimals(to.value, from.value) > 0 ? MORE : LESS
  return [from, to, ...numbers.slice(0, -2).map((number) => ({ ...number, before }))]
}

type Bound = { value: string; before: RegExp }

function boundsOf(test: Test): Bound[] {
  if (test.test === 'any') return [{ value: '0', before: ABOVE }]
  if (test.test !== 'bounds') return []
  const { above, atLeast, below, atMost } = test
  const of = (value: string | undefined, before: RegExp) =>
    value === undefined ? [] : [{ value: trimDecimal(value), before }]
  return [...of(above, ABOVE), ...of(atLeast, ABOVE), ...of(below, BELOW), ...of(atMost, BELOW)]
}

/** "On frames where the distance is at most 2 km", "wards above 100,000 people", "2026 estimate", "95 % interval". */
export function numbersOfLabel({ label, source }: StatedFacet): Stated[] {
  const { where = [], whole = [], having, statistic } = source ?? {}
  const bounds = [...where, ...whole, ...(having ? [having] : [])].flatMap(boundsOf)
  return numbersIn(label).flatMap((number): Stated[] => [
    ...(/^(?:19|20)\d\d$/.test(number.text) ? [{ ...YEAR, value: number.value }] : []),
    ...(statistic === 'interval' && number.unit === '%' ? [number] : []),
    ...bounds.filter(({ value }) => value === number.value).map(({ before }) => ({ ...number, before })),
  ])
}

export const isStated = (text: string, at: number, end: number, { before, after }: Stated): boolean =>
  (before === undefined || before.test(text.slice(Math.max(0, at - 80), at))) &&
  (after === undefined || after.test(text.slice(end, end + 40)))

/** A filter: a tree that CQL2 is read into, with types from the properties of the collection. */
import { didYouMean } from '../../core/nearest.js'
import { shortened } from '../../core/errors.js'
import type { Property } from './collections.js'
import { type Shape, wrong } from './shape.js'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='
/** A number stays the text that came: a float would change long ones. Instants are texts that sort in their order. */
export type Literal = { type: 'number' | 'text' | 'boolean' | 'date' | 'timestamp'; value: string }
export type Filter =
  | { op: 'and'; of: Filter[] }
  | { op: 'or'; of: Filter[] }
  | { op: 'not'; of: Filter }
  | { op: Comparison; property: string; value: Literal }
  | { op: 'between'; property: string; low: Literal; high: Literal }
  | { op: 'in'; property: string; values: Literal[] }
  | { op: 'like'; property: string; pattern: string }
  | { op: 'is null'; property: string }
  | { op: 'intersects'; shape: Shape }
  | { op: 'constant'; holds: boolean }

/** A longer filter is a program. */
export const FILTER_DEPTH_MAX = 20
const CONDITIONS_MAX = 50
const LISTED_VALUES_MAX = 200

/** Refuses every other operator of CQL2, and names it. */
export const notPart = (name: string) =>
  wrong(
    `${shortened(name)} is not accepted: and, or, not, the comparisons, between, in, like, is null and S_INTERSECTS are.`,
  )

const FILTER_NUMBER = /^[+-]?(0|[1-9]\d{0,29})(\.\d{1,30})?([eE][+-]?\d{1,2})?$/

export function numberLiteral(text: string): Literal {
  if (FILTER_NUMBER.test(text)) return { type: 'number', value: text.replace(/^\+/, '') }
  throw wrong(`a plain decimal number is accepted, "${shortened(text)}" came.`)
}

/** PostgreSQL has no text for NUL. */
export function textLiteral(text: string): Literal {
  if (!text.includes('\0')) return { type: 'text', value: text }
  throw wrong('a text holds a character that no value has: NUL.')
}

export const booleanLiteral = (value: boolean): Literal => ({ type: 'boolean', value: String(value) })

const INSTANTS = { date: /^\d{4}-\d\d-\d\d$/, timestamp: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/ }

export function instantLiteral(type: keyof typeof INSTANTS, text: string): Literal {
  const [whole, seconds, fraction] = INSTANTS[type].exec(text) ?? []
  if (whole === undefined || !isOnCalendar(text))
    throw wrong(
      `${type}: ${type === 'date' ? '2026-01-31' : '2026-01-31T12:00:00Z'} is accepted, "${shortened(text)}" came.`,
    )
  // Behind the values of its second and before those of the next one.
  const isBetween = /[1-9]/.test(fraction ?? '')
  return { type, value: seconds === undefined ? whole : `${seconds}Z${isBetween ? '+' : ''}` }
}

/** JavaScript reads 31 February as 3 March. */
const isOnCalendar = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text.slice(0, 10))

/** Refuses names and types that the collection does not have. Depth and size are bounded as it goes. */
export function checkFilter(filter: Filter, properties: readonly Property[]): void {
  const known = new Map(properties.map((each) => [each.name, each]))
  let conditions = 0
  let shapes = 0
  const propertyOf = (name: string): Property => {
    const found = known.get(name)
    if (found) return found
    throw wrong(`this collection has no property ${shortened(name)}.${didYouMean(name, known.keys())}`)
  }
  const check = (each: Filter, depth: number): void => {
    if (depth > FILTER_DEPTH_MAX) throw wrong(`it is nested deeper than ${FILTER_DEPTH_MAX} levels.`)
    if (each.op === 'and' || each.op === 'or') return each.of.forEach((one) => check(one, depth + 1))
    if (each.op === 'not') return check(each.of, depth + 1)
    if (each.op === 'constant') return
    conditions += 1
    if (conditions > CONDITIONS_MAX) throw wrong(`it has over ${CONDITIONS_MAX} conditions.`)
    if (each.op === 'intersects') {
      shapes += 1
      if (shapes > 1) throw wrong('one S_INTERSECTS is accepted; put several shapes into one MULTIPOLYGON.')
      return
    }
    const property = propertyOf(each.property)
    if (each.op === 'like') return checkPattern(each.pattern, property)
    for (const { type, value } of literalsOf(each))
      if ((type === 'number') !== (property.type === 'number'))
        throw wrong(
          `${property.name} holds ${property.type}s: a ${property.type} is accepted, ${shortened(value)} came.`,
        )
  }
  check(filter, 1)
}

function literalsOf(
  filter: Exclude<Filter, { op: 'and' | 'or' | 'not' | 'intersects' | 'like' | 'constant' }>,
): readonly Literal[] {
  if (filter.op === 'is null') return []
  if (filter.op === 'between') return [filter.low, filter.high]
  if (filter.op !== 'in') return [filter.value]
  if (filter.values.length > LISTED_VALUES_MAX)
    throw wrong(`in: ${filter.values.length} values came, at most ${LISTED_VALUES_MAX} are accepted.`)
  return filter.values
}

function checkPattern(pattern: string, { name, type }: Property): void {
  if (type !== 'text') throw wrong(`like: ${name} holds numbers, and like compares texts.`)
  const [backslashes = ''] = /\\*$/.exec(pattern) ?? []
  if (backslashes.length % 2 === 1) throw wrong('like: the pattern ends with a backslash that escapes nothing.')
}

/** The condition that two operands make: a property on either side, a literal on the other. */
export function compared(op: Comparison, one: Operand, other: Operand): Filter {
  if ('property' in one && 'type' in other) return { op, property: one.property, value: other }
  if ('type' in one && 'property' in other) return { op: MIRRORED[op], property: other.property, value: one }
  throw wrong(`${op}: a property is compared with a number, a text, true, false, DATE('...') or TIMESTAMP('...').`)
}

export type Operand = Literal | { property: string } | { shape: Shape }

const MIRRORED: Record<Comparison, Comparison> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

export const isComparison = (text: string): text is Comparison => Object.hasOwn(MIRRORED, text)

/** S_INTERSECTS takes the geometry and a shape, in either order. */
export function intersecting(one: Operand, other: Operand): Filter {
  const [shaped, named] = 'shape' in one ? [one, other] : [other, one]
  if ('shape' in shaped && 'property' in named && /^(geometry|geom)$/.test(named.property))
    return { op: 'intersects', shape: shaped.shape }
  throw wrong('S_INTERSECTS takes geometry and a shape.')
}

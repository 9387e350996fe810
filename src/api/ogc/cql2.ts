/** Reads the text form of CQL2. */
import { shortened } from '../http/params.js'
import {
  booleanLiteral,
  compared,
  FILTER_DEPTH_MAX,
  type Filter,
  instantLiteral,
  intersecting,
  isComparison,
  type Literal,
  notPart,
  numberLiteral,
  type Operand,
  textLiteral,
} from './filter.js'
import { boxShape, shapeOfGeoJson, shapeOfWkt, wrong } from './shape.js'

/** A text in quotes, a name in quotes, a number, a name, a mark. */
const CQL2_TOKEN =
  /\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")+")|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_.:]*)|(<=|>=|<>|[=<>(),+\-*/^%]))/uy
const SHAPES = /^(?:MULTI)?(?:POINT|LINESTRING|POLYGON)$|^BBOX$|^ENVELOPE$|^GEOMETRYCOLLECTION$/i
const CQL2_KEYWORDS = ['and', 'or', 'not', 'between', 'in', 'like', 'is', 'null']

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  CQL2_TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (CQL2_TOKEN.lastIndex < end) {
    const at = CQL2_TOKEN.lastIndex
    const [, quoted, name, number, word, mark] = CQL2_TOKEN.exec(text) ?? []
    const token = quoted ?? name ?? number ?? word ?? mark
    if (token === undefined) throw wrong(`it cannot be read from "${shortened(text.slice(at).trim())}" on.`)
    tokens.push(token)
  }
  return tokens
}

type Cursor = ReturnType<typeof cursorOver>

function cursorOver(tokens: readonly string[]) {
  let place = 0
  const peek = () => tokens[place] ?? ''
  const take = (word: string): boolean => {
    if (peek().toLowerCase() !== word) return false
    place += 1
    return true
  }
  return {
    next: () => tokens[place++] ?? '',
    peek,
    isAtEnd: () => place >= tokens.length,
    take,
    need: (word: string): void => {
      if (take(word)) return
      throw wrong(`${word} is needed ${place < tokens.length ? `before "${shortened(peek())}"` : 'at its end'}.`)
    },
  }
}

export function parseText(text: string): Filter {
  const cursor = cursorOver(tokensOf(text))
  const filter = disjunction(cursor, 1)
  if (cursor.isAtEnd()) return filter
  throw wrong(`it ends before "${shortened(cursor.peek())}": and, or and a closing bracket go on.`)
}

function disjunction(cursor: Cursor, depth: number): Filter {
  if (depth > FILTER_DEPTH_MAX) throw wrong(`it is nested deeper than ${FILTER_DEPTH_MAX} levels.`)
  return joinedFilters(cursor, 'or', () => joinedFilters(cursor, 'and', () => negation(cursor, depth)))
}

function joinedFilters({ take }: Cursor, op: 'and' | 'or', read: () => Filter): Filter {
  const first = read()
  const of = [first]
  while (take(op)) of.push(read())
  return of.length === 1 ? first : { op, of }
}

function negation(cursor: Cursor, depth: number): Filter {
  let isNegated = false
  while (cursor.take('not')) isNegated = !isNegated
  const filter = primary(cursor, depth)
  return isNegated ? { op: 'not', of: filter } : filter
}

function primary(cursor: Cursor, depth: number): Filter {
  if (cursor.take('(')) {
    const filter = disjunction(cursor, depth + 1)
    cursor.need(')')
    return filter
  }
  if (!cursor.take('s_intersects')) return predicate(cursor)
  cursor.need('(')
  const one = operand(cursor)
  cursor.need(',')
  const other = operand(cursor)
  cursor.need(')')
  return intersecting(one, other)
}

function predicate(cursor: Cursor): Filter {
  const one = operand(cursor)
  if ('type' in one && one.type === 'boolean' && !isComparison(cursor.peek())) return constant(one.value === 'true')
  const mark = cursor.next()
  if (isComparison(mark)) return compared(mark, one, operand(cursor))
  if ('property' in one) {
    const isNegated = mark.toLowerCase() === 'not'
    const word = (isNegated ? cursor.next() : mark).toLowerCase()
    const found = wordPredicate(cursor, word, one)
    if (found) return isNegated ? { op: 'not', of: found } : found
  }
  throw mark === '' ? wrong('it ends where a condition goes on.') : notPart(mark)
}

function wordPredicate(cursor: Cursor, word: string, property: Operand): Filter | undefined {
  const { take, need } = cursor
  switch (word) {
    case 'between': {
      const low = operand(cursor)
      need('and')
      return condition('between', [property, low, operand(cursor)])
    }
    case 'in': {
      need('(')
      const values = [operand(cursor)]
      while (take(',')) values.push(operand(cursor))
      need(')')
      return condition('in', [property, ...values])
    }
    case 'like':
      return condition('like', [property, operand(cursor)])
    case 'is': {
      const isNegated = take('not')
      need('null')
      const found = condition('isnull', [property])
      return isNegated ? { op: 'not', of: found } : found
    }
    default:
      return undefined
  }
}

const constant = (holds: boolean): Filter => ({ op: 'constant', holds })

function operand(cursor: Cursor): Operand {
  const token = cursor.next()
  if (token === '') throw wrong('it ends where a property or a value is needed.')
  if (token.startsWith("'")) return textLiteral(token.slice(1, -1).replaceAll("''", "'"))
  if (token.startsWith('"')) return { property: token.slice(1, -1).replaceAll('""', '"') }
  if (/^[+-]?[.\d]/.test(token)) return numberLiteral(token)
  if (SHAPES.test(token) && cursor.peek() === '(') return { shape: shapeOfWkt(token, cursor) }
  if (!/^[\p{L}_]/u.test(token) || CQL2_KEYWORDS.includes(token.toLowerCase()))
    throw wrong(`a property or a value is needed where "${shortened(token)}" is.`)
  if (/^(true|false)$/i.test(token)) return booleanLiteral(token.toLowerCase() === 'true')
  const instant = token.toLowerCase()
  if ((instant === 'date' || instant === 'timestamp') && cursor.take('(')) {
    const literal = instantLiteral(instant, cursor.next().replaceAll("'", ''))
    cursor.need(')')
    return literal
  }
  if (cursor.peek() === '(') throw notPart(token)
  return { property: token }
}

export function parseJson(text: string): Filter {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong('this is no JSON; filter-lang=cql2-text reads a text.')
  }
  return filterOf(value, 1)
}

function filterOf(value: unknown, depth: number): Filter {
  if (depth > FILTER_DEPTH_MAX) throw wrong(`it is nested deeper than ${FILTER_DEPTH_MAX} levels.`)
  if (typeof value === 'boolean') return constant(value)
  const { op, args, ...more } = Object(value) as { op?: unknown; args?: unknown }
  if (typeof op !== 'string' || !Array.isArray(args) || Object.keys(more).length > 0)
    throw wrong(`{"op": ..., "args": [...]} is needed, ${shortened(JSON.stringify(value) ?? 'nothing')} came.`)
  const name = op.toLowerCase()
  if (name === 'and' || name === 'or') {
    if (args.length < 2) throw wrong(`${name}: two arguments at least are needed, ${args.length} came.`)
    return { op: name, of: args.map((each) => filterOf(each, depth + 1)) }
  }
  if (name === 'not') {
    if (args.length !== 1) throw wrong(`not: one argument is needed, ${args.length} came.`)
    return { op: 'not', of: filterOf(args[0], depth + 1) }
  }
  if (!isComparison(name) && !Object.hasOwn(NEEDED, name)) throw notPart(op)
  if (name !== 'in') return condition(name, args.map(operandOf))
  const [property, values] = args
  if (args.length !== 2 || !Array.isArray(values)) throw wrong(`in: it needs ${NEEDED.in}.`)
  return condition(name, [property, ...(values as unknown[])].map(operandOf))
}

/** The operands that each operator needs besides the comparisons, which need two. */
const NEEDED = {
  s_intersects: 'geometry and a shape',
  isnull: 'a property alone',
  like: 'a property and a text, which is a text in single quotes outside of JSON',
  between: 'a property and two values',
  in: 'a property and a list of values',
}

/** The condition that an operator makes of its operands, in either form. */
function condition(name: string, operands: readonly Operand[]): Filter {
  const [one, other, third, ...more] = operands
  if (one && other && !third) {
    if (isComparison(name)) return compared(name, one, other)
    if (name === 's_intersects') return intersecting(one, other)
  }
  if (one && 'property' in one) {
    const { property } = one
    if (name === 'in' && other) return { op: 'in', property, values: operands.slice(1).map(literalOf) }
    // Every item has a geometry.
    if (name === 'isnull' && !other) return property === 'geometry' ? constant(false) : { op: 'is null', property }
    if (name === 'between' && other && third && more.length === 0)
      return { op: 'between', property, low: literalOf(other), high: literalOf(third) }
    if (name === 'like' && other && 'type' in other && other.type === 'text' && !third)
      return { op: 'like', property, pattern: other.value }
  }
  const needed = isComparison(name) ? 'two arguments, a property and a value' : NEEDED[name as keyof typeof NEEDED]
  throw wrong(`${name}: it needs ${needed}.`)
}

function operandOf(value: unknown): Operand {
  if (typeof value === 'number') return numberLiteral(String(value))
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value === 'boolean') return booleanLiteral(value)
  if (typeof value !== 'object' || value === null)
    throw wrong('a property, a number, a text, a boolean, an instant or a shape is needed.')
  if ('property' in value && typeof value.property === 'string') return { property: value.property }
  if ('bbox' in value && Array.isArray(value.bbox) && value.bbox.every((each) => typeof each === 'number'))
    return { shape: boxShape(value.bbox) }
  if ('date' in value && typeof value.date === 'string') return instantLiteral('date', value.date)
  if ('timestamp' in value && typeof value.timestamp === 'string') return instantLiteral('timestamp', value.timestamp)
  if ('op' in value) throw notPart(String(value.op))
  return { shape: shapeOfGeoJson(value) }
}

function literalOf(found: Operand): Literal {
  if ('type' in found) return found
  throw wrong('a number, or a text in single quotes, is needed there.')
}

/** Reads the text form of CQL2. */
import { shortened } from '../http/params.js'
import {
  compared,
  FILTER_DEPTH_MAX,
  type Filter,
  intersecting,
  isComparison,
  type Literal,
  notPart,
  numberLiteral,
  type Operand,
  textLiteral,
  wrong,
} from './filter.js'
import { boxShape, shapeOfGeoJson, shapeOfWkt } from './shape.js'

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

type Cursor = {
  next: () => string
  peek: () => string
  isAtEnd: () => boolean
  /** Takes a word or a mark if it comes next. */
  take: (word: string) => boolean
  need: (word: string) => void
}

function cursorOver(tokens: readonly string[]): Cursor {
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
    need: (word) => {
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
  const mark = cursor.next()
  if (isComparison(mark)) return compared(mark, one, operand(cursor))
  if ('property' in one) {
    const isNegated = mark.toLowerCase() === 'not'
    const word = (isNegated ? cursor.next() : mark).toLowerCase()
    const found = wordPredicate(cursor, word, one.property)
    if (found) return isNegated ? { op: 'not', of: found } : found
  }
  throw mark === '' ? wrong('it ends where a condition goes on.') : notPart(mark)
}

function wordPredicate(cursor: Cursor, word: string, property: string): Filter | undefined {
  const { take, need } = cursor
  switch (word) {
    case 'between': {
      const low = literalToken(cursor)
      need('and')
      return { op: 'between', property, low, high: literalToken(cursor) }
    }
    case 'in': {
      need('(')
      const values = [literalToken(cursor)]
      while (take(',')) values.push(literalToken(cursor))
      need(')')
      return { op: 'in', property, values }
    }
    case 'like': {
      const { type, value } = literalToken(cursor)
      if (type !== 'text') throw wrong('like: a text in single quotes is needed.')
      return { op: 'like', property, pattern: value }
    }
    case 'is': {
      const isNegated = take('not')
      need('null')
      return isNegated ? { op: 'not', of: { op: 'is null', property } } : { op: 'is null', property }
    }
    default:
      return undefined
  }
}

function literalToken(cursor: Cursor): Literal {
  const found = operand(cursor)
  if ('type' in found) return found
  throw wrong('a number, or a text in single quotes, is needed there.')
}

function operand(cursor: Cursor): Operand {
  const token = cursor.next()
  if (token === '') throw wrong('it ends where a property or a value is needed.')
  if (token.startsWith("'")) return textLiteral(token.slice(1, -1).replaceAll("''", "'"))
  if (token.startsWith('"')) return { property: token.slice(1, -1).replaceAll('""', '"') }
  if (/^[+-]?[.\d]/.test(token)) return numberLiteral(token)
  if (SHAPES.test(token) && cursor.peek() === '(') return { shape: shapeOfWkt(token, cursor) }
  if (!/^[\p{L}_]/u.test(token) || CQL2_KEYWORDS.includes(token.toLowerCase()))
    throw wrong(`a property or a value is needed where "${shortened(token)}" is.`)
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
  const { op, args, ...more } = Object(value) as { op?: unknown; args?: unknown }
  if (typeof op !== 'string' || !Array.isArray(args) || Object.keys(more).length > 0)
    throw wrong(`{"op": ..., "args": [...]} is needed, ${shortened(JSON.stringify(value) ?? 'nothing')} came.`)
  const name = op.toLowerCase()
  if (name === 'and' || name === 'or') {
    if (args.length < 2) throw wrong(`${name}: two arguments at least are needed, ${args.length} came.`)
    return { op: name, of: args.map((each) => filterOf(each, depth + 1)) }
  }
  if (name === 'not') return { op: 'not', of: filterOf(only(args, name), depth + 1) }
  return condition(name, op, args)
}

function condition(name: string, op: string, args: readonly unknown[]): Filter {
  if (isComparison(name)) return compared(name, ...pair(args, name))
  switch (name) {
    case 's_intersects':
      return intersecting(...pair(args, name))
    case 'isnull':
      return { op: 'is null', property: propertyOf(only(args, name)) }
    case 'like': {
      const [property, pattern] = args
      if (args.length !== 2 || typeof pattern !== 'string') throw wrong('like: a property and a text are needed.')
      return { op: 'like', property: propertyOf(property), pattern: textLiteral(pattern).value }
    }
    case 'between': {
      if (args.length !== 3) throw wrong('between: a property and two values are needed.')
      return { op: 'between', property: propertyOf(args[0]), low: literalOf(args[1]), high: literalOf(args[2]) }
    }
    case 'in': {
      const [property, values] = args
      if (args.length !== 2 || !Array.isArray(values) || values.length === 0)
        throw wrong('in: a property and a list of values are needed.')
      return { op: 'in', property: propertyOf(property), values: values.map(literalOf) }
    }
    default:
      throw notPart(op)
  }
}

function only(args: readonly unknown[], name: string): unknown {
  if (args.length !== 1) throw wrong(`${name}: one argument is needed, ${args.length} came.`)
  return args[0]
}

function pair(args: readonly unknown[], name: string): [Operand, Operand] {
  if (args.length !== 2) throw wrong(`${name}: two arguments are needed, ${args.length} came.`)
  return [operandOf(args[0]), operandOf(args[1])]
}

function operandOf(value: unknown): Operand {
  if (typeof value === 'number') return numberLiteral(String(value))
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value !== 'object' || value === null) throw wrong('a property, a number, a text or a shape is needed.')
  if ('property' in value && typeof value.property === 'string') return { property: value.property }
  if ('bbox' in value && Array.isArray(value.bbox) && value.bbox.every((each) => typeof each === 'number'))
    return { shape: boxShape(value.bbox) }
  if ('op' in value) throw notPart(String(value.op))
  return { shape: shapeOfGeoJson(value) }
}

function literalOf(value: unknown): Literal {
  const found = operandOf(value)
  if ('type' in found) return found
  throw wrong('a number or a text is needed there.')
}

function propertyOf(value: unknown): string {
  const found = operandOf(value)
  if ('property' in found) return found.property
  throw wrong('{"property": ...} is needed there.')
}

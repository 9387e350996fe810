/** Reads the text form of CQL2. */
import { shortened } from '../../core/errors.js'
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
import { shapeOfWkt, wrong } from './shape.js'

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
    const found = wordPredicate(cursor, word, one.property)
    if (found) return isNegated ? { op: 'not', of: found } : found
  }
  throw mark === '' ? wrong('it ends where a condition goes on.') : notPart(mark)
}

function wordPredicate(cursor: Cursor, word: string, property: string): Filter | undefined {
  const { take, need } = cursor
  switch (word) {
    case 'between': {
      const low = literalOf(operand(cursor))
      need('and')
      return { op: 'between', property, low, high: literalOf(operand(cursor)) }
    }
    case 'in': {
      need('(')
      const values = [literalOf(operand(cursor))]
      while (take(',')) values.push(literalOf(operand(cursor)))
      need(')')
      return { op: 'in', property, values }
    }
    case 'like': {
      const pattern = operand(cursor)
      if ('type' in pattern && pattern.type === 'text') return { op: 'like', property, pattern: pattern.value }
      throw wrong('like: it needs a property and a text in single quotes.')
    }
    case 'is': {
      const isNegated = take('not')
      need('null')
      // Every item has a geometry.
      const found: Filter = property === 'geometry' ? constant(false) : { op: 'is null', property }
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

function literalOf(found: Operand): Literal {
  if ('type' in found) return found
  throw wrong('a number, or a text in single quotes, is needed there.')
}

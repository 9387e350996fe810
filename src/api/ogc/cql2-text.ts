/** Reads the text form of CQL2. */
import { shortened } from '../http/params.js'
import {
  compared,
  DEPTH_MAX,
  intersecting,
  isComparison,
  notPart,
  numberLiteral,
  textLiteral,
  wrong,
  type Filter,
  type Literal,
  type Operand,
} from './filter.js'
import { shapeOfWkt } from './shape.js'

/** A text in quotes, a name in quotes, a number, a name, a mark. */
const CQL2_TOKEN =
  /\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")+")|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_.:]*)|(<=|>=|<>|[=<>(),+\-*/^%]))/uy
const SHAPES = /^(?:MULTI)?(?:POINT|LINESTRING|POLYGON)$|^BBOX$|^ENVELOPE$|^GEOMETRYCOLLECTION$/i
const KEYWORDS = ['and', 'or', 'not', 'between', 'in', 'like', 'is', 'null']

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
  if (depth > DEPTH_MAX) throw wrong(`it is nested deeper than ${DEPTH_MAX} levels.`)
  return joined(cursor, 'or', () => joined(cursor, 'and', () => negation(cursor, depth)))
}

function joined({ take }: Cursor, op: 'and' | 'or', read: () => Filter): Filter {
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
      const low = literal(cursor)
      need('and')
      return { op: 'between', property, low, high: literal(cursor) }
    }
    case 'in': {
      need('(')
      const values = [literal(cursor)]
      while (take(',')) values.push(literal(cursor))
      need(')')
      return { op: 'in', property, values }
    }
    case 'like': {
      const { type, value } = literal(cursor)
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

function literal(cursor: Cursor): Literal {
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
  if (!/^[\p{L}_]/u.test(token) || KEYWORDS.includes(token.toLowerCase()))
    throw wrong(`a property or a value is needed where "${shortened(token)}" is.`)
  if (cursor.peek() === '(') throw notPart(token)
  return { property: token }
}

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
const TOKEN =
  /\s*(?:('(?:[^']|'')*')|("(?:[^"]|"")+")|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_.:]*)|(<=|>=|<>|[=<>(),+\-*/^%]))/uy
const SHAPES = /^(?:MULTI)?(?:POINT|LINESTRING|POLYGON)$|^BBOX$|^ENVELOPE$|^GEOMETRYCOLLECTION$/i
const KEYWORDS = ['and', 'or', 'not', 'between', 'in', 'like', 'is', 'null']

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex
    const [, quoted, name, number, word, mark] = TOKEN.exec(text) ?? []
    const token = quoted ?? name ?? number ?? word ?? mark
    if (token === undefined) throw wrong(`it cannot be read from "${shortened(text.slice(at).trim())}" on.`)
    tokens.push(token)
  }
  return tokens
}

export function parseText(text: string): Filter {
  const tokens = tokensOf(text)
  let place = 0
  let depth = 0
  const peek = (ahead = 0) => tokens[place + ahead] ?? ''
  const next = () => tokens[place++] ?? ''
  const isWord = (word: string, ahead = 0) => peek(ahead).toLowerCase() === word
  const take = (word: string): boolean => {
    if (!isWord(word)) return false
    place += 1
    return true
  }
  const need = (word: string) => {
    if (!take(word))
      throw wrong(`${word} is needed ${place < tokens.length ? `before "${shortened(peek())}"` : 'at its end'}.`)
  }
  const joined = (op: 'and' | 'or', read: () => Filter): Filter => {
    const of = [read()]
    while (take(op)) of.push(read())
    const [only] = of
    return of.length === 1 && only ? only : { op, of }
  }

  const disjunction = (): Filter => {
    depth += 1
    if (depth > DEPTH_MAX) throw wrong(`it is nested deeper than ${DEPTH_MAX} levels.`)
    const filter = joined('or', () => joined('and', negation))
    depth -= 1
    return filter
  }
  const negation = (): Filter => {
    let isNegated = false
    while (take('not')) isNegated = !isNegated
    const filter = primary()
    return isNegated ? { op: 'not', of: filter } : filter
  }
  const primary = (): Filter => {
    if (take('(')) {
      const filter = disjunction()
      need(')')
      return filter
    }
    if (isWord('s_intersects')) {
      next()
      need('(')
      const one = operand()
      need(',')
      const other = operand()
      need(')')
      return intersecting(one, other)
    }
    return predicate(operand())
  }
  const predicate = (one: Operand): Filter => {
    const mark = next()
    if (isComparison(mark)) return compared(mark, one, operand())
    if ('property' in one) {
      const isNegated = mark.toLowerCase() === 'not'
      const word = (isNegated ? next() : mark).toLowerCase()
      const found = wordPredicate(word, one.property)
      if (found) return isNegated ? { op: 'not', of: found } : found
    }
    throw mark === '' ? wrong('it ends where a condition goes on.') : notPart(mark)
  }
  const wordPredicate = (word: string, property: string): Filter | undefined => {
    switch (word) {
      case 'between': {
        const low = literal()
        need('and')
        return { op: 'between', property, low, high: literal() }
      }
      case 'in': {
        need('(')
        const values = [literal()]
        while (take(',')) values.push(literal())
        need(')')
        return { op: 'in', property, values }
      }
      case 'like': {
        const { type, value } = literal()
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
  const literal = (): Literal => {
    const found = operand()
    if ('type' in found) return found
    throw wrong('a number, or a text in single quotes, is needed there.')
  }
  const operand = (): Operand => {
    const token = next()
    if (token === '') throw wrong('it ends where a property or a value is needed.')
    if (token.startsWith("'")) return textLiteral(token.slice(1, -1).replaceAll("''", "'"))
    if (token.startsWith('"')) return { property: token.slice(1, -1).replaceAll('""', '"') }
    if (/^[+-]?[.\d]/.test(token)) return numberLiteral(token)
    if (SHAPES.test(token) && peek() === '(') return { shape: shapeOfWkt(token, { next, peek }) }
    if (!/^[\p{L}_]/u.test(token) || KEYWORDS.includes(token.toLowerCase()))
      throw wrong(`a property or a value is needed where "${shortened(token)}" is.`)
    if (peek() === '(') throw notPart(token)
    return { property: token }
  }

  const filter = disjunction()
  if (place < tokens.length)
    throw wrong(`nothing is needed after "${shortened(tokens[place - 1] ?? '')}", "${shortened(peek())}" came.`)
  return filter
}

/** Shapes that callers send, as WKT. What leaves here is text that PostGIS reads without a fault. */
import { ringOf } from '../../core/geometry.js'
import { isQueryNumber } from '../../core/decimal.js'
import { invalid, type ApiError, shortened } from '../../core/errors.js'
import { domainOf, isInDegrees } from './crs.js'

type Vertex = readonly [x: number, y: number]
/** `parts`: points have one list each; lines one; each ring of a polygon is a list. */
export type Shape =
  | { type: 'Point'; parts: Vertex[] }
  | { type: 'LineString'; parts: Vertex[][] }
  | { type: 'Polygon'; parts: Vertex[][][] }

const POSITIONS_MAX = 10_000

export const wrong = (message: string): ApiError => invalid(`filter: ${message}`)

/** Writes a shape as WKT, or refuses it. The coordinates are those of `crs`. */
export function shapeText({ type, parts }: Shape, crs: number): string {
  const positions = parts.flat(3).length / 2
  if (parts.length === 0) throw wrong('an empty shape touches nothing.')
  if (positions > POSITIONS_MAX)
    throw wrong(`a shape of ${positions} positions came, at most ${POSITIONS_MAX} are accepted.`)
  switch (type) {
    case 'Point':
      return `MULTIPOINT(${parts.map((each) => `(${positionText(each, crs)})`).join(',')})`
    case 'LineString':
      return `MULTILINESTRING(${parts.map((line) => lineText(line, crs, 2)).join(',')})`
    case 'Polygon':
      return `MULTIPOLYGON(${parts.map((rings) => polygonText(rings, crs)).join(',')})`
  }
}

function polygonText(rings: readonly Vertex[][], crs: number): string {
  if (rings.length === 0) throw wrong('a polygon without a ring touches nothing.')
  for (const ring of rings) {
    const [first, last] = [ring[0], ring.at(-1)]
    if (first && last && (first[0] !== last[0] || first[1] !== last[1]))
      throw wrong(`a ring ends at ${last.join(' ')}, other than it begins, at ${first.join(' ')}.`)
  }
  return `(${rings.map((ring) => lineText(ring, crs, 4)).join(',')})`
}

function lineText(line: readonly Vertex[], crs: number, least: number): string {
  if (line.length < least)
    throw wrong(`${line.length} positions came where at least ${least} are needed: a line has 2, a ring 4.`)
  const east = crs === 84 ? 0 : 1
  for (const [i, position] of line.entries()) {
    const before = line[i - 1]
    const step = before && isInDegrees(crs) ? Math.abs(position[east] - before[east]) : 0
    // RFC 7946: a line never crosses the antimeridian. From -180 to 180 it goes all around.
    if (step > 180 && step < 360)
      throw wrong(`the edge that ends at ${position.join(' ')} is over 180 degrees long: cut it at the antimeridian.`)
  }
  return `(${line.map((position) => positionText(position, crs)).join(',')})`
}

function positionText([x, y]: Vertex, crs: number): string {
  const [leastX, leastY, mostX, mostY] = domainOf(crs)
  if (x >= leastX && x <= mostX && y >= leastY && y <= mostY) return `${x} ${y}`
  throw wrong(`the position ${x} ${y} lies beyond ${domainOf(crs).join(', ')}. The longitude comes first in CRS84.`)
}

function boxShape(numbers: readonly number[]): Shape {
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = numbers
  if (numbers.length !== 4 || minX >= maxX || minY >= maxY)
    throw wrong('BBOX takes four numbers, the lower ones first.')
  return { type: 'Polygon', parts: [[ringOf([minX, minY, maxX, maxY])]] }
}

const SHAPE_TYPES = ['Point', 'LineString', 'Polygon'] as const

/** Reads words and brackets of WKT, one after the other. */
export type Tokens = { next: () => string; peek: () => string }

export function shapeOfWkt(keyword: string, tokens: Tokens): Shape {
  const name = keyword.toUpperCase()
  if (name === 'BBOX') return boxShape(commaSeparated(tokens, () => vertexNumber(tokens.next())))
  const isMulti = name.startsWith('MULTI')
  const type = SHAPE_TYPES.find((each) => name.replace(/^MULTI/, '') === each.toUpperCase())
  if (!type)
    throw wrong(
      `${shortened(keyword)} is no shape that is accepted: POINT, LINESTRING, POLYGON, MULTI before one, and BBOX are.`,
    )
  const line = () => commaSeparated(tokens, () => wktPosition(tokens))
  const polygon = () => commaSeparated(tokens, line)
  switch (type) {
    case 'Point':
      return { type, parts: isMulti ? commaSeparated(tokens, () => onePosition(tokens)) : line() }
    case 'LineString':
      return { type, parts: isMulti ? commaSeparated(tokens, line) : [line()] }
    case 'Polygon':
      return { type, parts: isMulti ? commaSeparated(tokens, polygon) : [polygon()] }
  }
}

/** The points of a MULTIPOINT may have brackets of their own. */
function onePosition(tokens: Tokens): Vertex {
  if (tokens.peek() !== '(') return wktPosition(tokens)
  const [position] = commaSeparated(tokens, () => wktPosition(tokens))
  if (!position) throw wrong('a point needs a position.')
  return position
}

function wktPosition(tokens: Tokens): Vertex {
  const position: Vertex = [vertexNumber(tokens.next()), vertexNumber(tokens.next())]
  if (isQueryNumber(tokens.peek())) tokens.next()
  return position
}

function vertexNumber(text: string): number {
  const value = isQueryNumber(text) ? Number(text) : NaN
  if (Number.isFinite(value)) return value
  throw wrong(`a number is needed in a shape, "${shortened(text)}" came.`)
}

function commaSeparated<Each>(tokens: Tokens, read: () => Each): Each[] {
  if (tokens.next() !== '(') throw wrong('a shape needs an opening bracket there.')
  const found: Each[] = []
  for (;;) {
    found.push(read())
    const mark = tokens.next()
    if (mark === ')') return found
    if (mark !== ',') throw wrong(`"," or ")" is needed in a shape, "${shortened(mark)}" came.`)
  }
}

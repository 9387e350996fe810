/** Finds the exact part of each pixel that a shape covers. Coordinates are counted in pixels: column 3 lies from 3 to 4. */
import { ValueRefusal } from './faults.js'

type Position = readonly number[]
/** As GeoJSON has it: the first ring of a polygon is its edge, the others are holes. */
export type Polygons = readonly (readonly (readonly Position[])[])[]

/** Columns and rows, the last ones excluded. */
export type Cells = { left: number; top: number; right: number; bottom: number }

export function polygonsOf(geojson: string): Polygons {
  const { type, coordinates } = JSON.parse(geojson) as { type: string; coordinates: unknown }
  if (type === 'Polygon') return [coordinates] as Polygons
  if (type === 'MultiPolygon') return coordinates as Polygons
  throw new ValueRefusal(`a polygon is needed, ${type} came`)
}

/** The cells that a shape touches. */
export function cellsOf(polygons: Polygons): Cells {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [edge = []] of polygons)
    for (const [x = 0, y = 0] of edge) {
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
    }
  return { left: Math.floor(left), top: Math.floor(top), right: Math.ceil(right), bottom: Math.ceil(bottom) }
}

export const shared = (one: Cells, other: Cells): Cells => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
})

/**
 * The covered part of each of some cells, from 0 to 1, row by row. As font renderers do it (font-rs): each edge adds the
 * change of cover that it makes to the cells that it crosses, and the sums along a row are the parts that are covered.
 */
export function coverOf(polygons: Polygons, cells: Cells): Float64Array {
  const width = cells.right - cells.left
  const height = cells.bottom - cells.top
  // The change behind the last column goes into one more.
  const changes = new Float64Array((width + 1) * height)
  for (const rings of polygons)
    for (const [place, ring] of rings.entries()) {
      const sign = (place === 0 ? 1 : -1) * Math.sign(turnOf(ring))
      for (let i = 1; i < ring.length; i += 1) {
        const [x0 = 0, y0 = 0] = ring[i - 1]!
        const [x1 = 0, y1 = 0] = ring[i]!
        const edge = { x: x0 - cells.left, y: y0 - cells.top, toX: x1 - cells.left, toY: y1 - cells.top, sign }
        if (y0 !== y1) addEdge(changes, width, height, edge)
      }
    }
  return summed(changes, width, height)
}

/** Twice the area of a ring: below zero where it turns the other way. */
function turnOf(ring: readonly Position[]): number {
  const [originX = 0, originY = 0] = ring[0] ?? []
  let turn = 0
  for (let i = 1; i < ring.length; i += 1) {
    const [x0 = 0, y0 = 0] = ring[i - 1]!
    const [x1 = 0, y1 = 0] = ring[i]!
    turn += (x1 - originX) * (y0 - originY) - (x0 - originX) * (y1 - originY)
  }
  return turn
}

function summed(changes: Float64Array, width: number, height: number): Float64Array {
  const covers = new Float64Array(width * height)
  for (let row = 0, at = 0; row < height; row += 1) {
    let cover = 0
    for (let column = 0; column < width; column += 1, at += 1) {
      cover += changes[row * (width + 1) + column]!
      covers[at] = Math.min(1, Math.max(0, cover))
    }
  }
  return covers
}

type Edge = { x: number; y: number; toX: number; toY: number; sign: number }

/** An edge is cut at each row, and so that all lies between the first and the last column. */
function addEdge(changes: Float64Array, width: number, height: number, edge: Edge): void {
  const isDown = edge.toY > edge.y
  const [x, y, toX, toY] = isDown ? [edge.x, edge.y, edge.toX, edge.toY] : [edge.toX, edge.toY, edge.x, edge.y]
  const sign = isDown ? edge.sign : -edge.sign
  const xAt = (at: number) => (at === toY ? toX : x + ((at - y) / (toY - y)) * (toX - x))
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(height, toY); row += 1) {
    const [from, to] = [Math.max(row, y), Math.min(row + 1, toY)]
    const [one, other] = [xAt(from), xAt(to)]
    const [left, right] = one < other ? [one, other] : [other, one]
    const change = sign * (to - from)
    const start = row * (width + 1)
    if (right <= 0) changes[start]! += change
    else if (left < width) {
      const [first, last] = [Math.max(0, left), Math.min(width, right)]
      const part = right > left ? change / (right - left) : 0
      if (left < 0) changes[start]! += part * (first - left)
      addPiece(changes, start, { left: first, right: last, change: right > left ? part * (last - first) : change })
    }
  }
}

/** `change` is spread evenly from `left` to `right`; of a cell, it counts by how much lies on its right. */
function addPiece(
  changes: Float64Array,
  start: number,
  { left, right, change }: Record<'left' | 'right' | 'change', number>,
): void {
  const first = Math.floor(left)
  const last = Math.max(first, Math.ceil(right) - 1)
  for (let column = first; column <= last; column += 1) {
    const [from, to] = [Math.max(left, column), Math.min(right, column + 1)]
    const part = right > left ? (change * (to - from)) / (right - left) : change
    const beyond = part * ((from + to) / 2 - column)
    changes[start + column]! += part - beyond
    changes[start + column + 1]! += beyond
  }
}

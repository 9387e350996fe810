/**
 * Builds an R-tree as SQLite's module of that name keeps it in three tables: https://www.sqlite.org/rtree.html. No SQLite
 * in WebAssembly for Node 20 has the module, and each cell goes to its place here without a search for it.
 */
import { NO_BOUNDS, union } from '../geometry.js'
import type { Corners } from '../place.js'

/** A cell of a leaf has the number of a feature, a cell above has the number of the node below. */
export type RtreeCell = { number: number; bounds: Corners }
/** Each takes a row: a node with its data; a feature with its leaf; a node with the one above. */
type RtreeTables = {
  node: (row: [number: number, data: Uint8Array]) => void
  feature: (row: [number: number, leaf: number]) => void
  parent: (row: [number: number, above: number]) => void
}

/** SQLite's limit in a page of 4,096 bytes. Its module takes the size of a node from the root. */
const CELLS_A_NODE = 51
const CELL_BYTES = 24
const NODE_BYTES = 4 + CELLS_A_NODE * CELL_BYTES
const ROOT = 1

export function writeRtree(features: readonly RtreeCell[], tables: RtreeTables): void {
  let last = ROOT
  let cells = features
  for (let depth = 0; ; depth += 1) {
    const holdIn = depth === 0 ? tables.feature : tables.parent
    const write = (group: readonly RtreeCell[], number: number): RtreeCell => {
      tables.node([number, nodeData(group, number === ROOT ? depth : 0)])
      for (const cell of group) holdIn([cell.number, number])
      return { number, bounds: group.map(({ bounds }) => bounds).reduce(union, NO_BOUNDS) }
    }
    if (cells.length <= CELLS_A_NODE) {
      write(cells, ROOT)
      return
    }
    cells = grouped(cells).map((group) => write(group, (last += 1)))
  }
}

/** Sort-tile-recursive: slices from west to east, each cut from south to north. Neighbours stand in one node. */
function grouped(cells: readonly RtreeCell[]): RtreeCell[][] {
  const slices = Math.ceil(Math.sqrt(cells.length / CELLS_A_NODE))
  const fromWest = cells.toSorted((one, other) => one.bounds[0] - other.bounds[0])
  return chunks(fromWest, Math.ceil(cells.length / slices)).flatMap((slice) =>
    chunks(
      slice.sort((one, other) => one.bounds[1] - other.bounds[1]),
      CELLS_A_NODE,
    ),
  )
}

const chunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

function nodeData(cells: readonly RtreeCell[], depth: number): Uint8Array {
  const bytes = new Uint8Array(NODE_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, depth)
  view.setUint16(2, cells.length)
  for (const [i, { number, bounds }] of cells.entries()) {
    const [west, south, east, north] = bounds
    const at = 4 + i * CELL_BYTES
    view.setBigInt64(at, BigInt(number))
    for (const [place, edge] of [lower(west), upper(east), lower(south), upper(north)].entries())
      view.setFloat32(at + 8 + place * 4, edge)
  }
  return bytes
}

/** A node has floats of 32 bits: rounded outwards, so that a box holds all of its frame. */
const upper = (value: number): number => -lower(-value)
function lower(value: number): number {
  const float = Math.fround(value)
  return float > value ? Math.fround(float - Math.abs(float) * 2 ** -23) : float
}

/** Makes a small base map around the fixture: a PMTiles file with the layers of Protomaps. */
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import { encodeTile, type ShapeLayer } from '../../src/app/tiles/vector-tile.js'

type Corners = readonly [west: number, south: number, east: number, north: number]
/** A box without a height or a width is a line, and one without both a point. */
type Shape = { layer: string; box: Corners; properties: Record<string, string | number> }

const BOUNDS: Corners = [-2, -2, 3, 3]
const ZOOM_MOST = 9

/** A sea in the west, a lake, a wood and a river, two roads that cross, a border and a town. */
const SHAPES: readonly Shape[] = [
  { layer: 'earth', box: BOUNDS, properties: { kind: 'earth' } },
  { layer: 'landuse', box: [1.2, 0.9, 1.5, 1.4], properties: { kind: 'forest' } },
  { layer: 'water', box: [-2, -2, -0.72, 3], properties: { kind: 'ocean' } },
  { layer: 'water', box: [0.32, 0.22, 0.42, 0.3], properties: { kind: 'lake' } },
  { layer: 'water', box: [0.37, 0.3, 0.37, 3], properties: { kind: 'river' } },
  { layer: 'roads', box: [-0.72, 0.17, 3, 0.17], properties: { kind: 'highway' } },
  { layer: 'roads', box: [0.25, -2, 0.25, 3], properties: { kind: 'major_road' } },
  { layer: 'boundaries', box: [-2, 1.6, 3, 1.6], properties: { kind: 'country' } },
  {
    layer: 'places',
    box: [0.45, 0.17, 0.45, 0.17],
    properties: { kind: 'locality', name: 'Crossing', population_rank: 9 },
  },
]

const EXTENT = 4096
const BUFFER = 64

type Number3 = { z: number; x: number; y: number }

const tileAcross = (lon: number, z: number) => ((lon + 180) / 360) * 2 ** z
const tileDown = (lat: number, z: number) => ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z

/** In units of the tile, with y to the south, cut a little outside of it. Undefined: nothing of the shape is there. */
function cut([west, south, east, north]: Corners, { z, x, y }: Number3): Corners | undefined {
  const within = (place: number) => Math.min(EXTENT + BUFFER, Math.max(-BUFFER, Math.round(place * EXTENT)))
  const [left, right] = [tileAcross(west, z) - x, tileAcross(east, z) - x]
  const [top, bottom] = [tileDown(north, z) - y, tileDown(south, z) - y]
  if (right < 0 || left > 1 || bottom < 0 || top > 1) return undefined
  return [within(left), within(top), within(right), within(bottom)]
}

const [POINT, LINE, POLYGON] = [1, 2, 3]

/** TWKB, as PostGIS writes it for tiles. */
function twkb([left, top, right, bottom]: Corners): Buffer {
  const isPoint = left === right && top === bottom
  const isLine = left === right || top === bottom
  const ring = [left, top, left, bottom, right, bottom, right, top, left, top]
  const points = isPoint ? [left, top] : isLine ? [left, top, right, bottom] : ring
  const writer = new PbfWriter()
  for (const each of [isPoint ? POINT : isLine ? LINE : POLYGON, 0]) writer.writeVarint(each ?? 0)
  if (!isPoint && !isLine) writer.writeVarint(1)
  if (!isPoint) writer.writeVarint(points.length / 2)
  for (const [i, place] of points.entries()) writer.writeSVarint(place - (points[i - 2] ?? 0))
  return Buffer.from(writer.finish())
}

function layersOf(tile: Number3): ShapeLayer[] {
  const layers = new Map<string, ShapeLayer & { features: { shape: Buffer; properties: Shape['properties'] }[] }>()
  for (const { layer: name, box, properties } of SHAPES) {
    const corners = cut(box, tile)
    if (!corners) continue
    const layer = layers.get(name) ?? { name, features: [] }
    layers.set(name, layer)
    layer.features.push({ shape: twkb(corners), properties })
  }
  return [...layers.values()]
}

/** The place of a tile on the Hilbert curve of its zoom, by the definition: quarter by quarter, each turned. */
function placeOnCurve({ z, x, y }: Number3): number {
  if (z === 0) return 0
  const half = 2 ** (z - 1)
  const [east, south] = [x >= half, y >= half]
  const [column, row] = [east ? x - half : x, south ? y - half : y]
  const quarter = south ? (east ? 2 : 1) : east ? 3 : 0
  const turned =
    quarter === 0
      ? { x: row, y: column }
      : quarter === 3
        ? { x: half - 1 - row, y: half - 1 - column }
        : { x: column, y: row }
  return quarter * half ** 2 + placeOnCurve({ z: z - 1, ...turned })
}

type Found = { id: number; tile: Buffer }

async function tilesOf(isGzip: boolean): Promise<Found[]> {
  const found: Found[] = []
  for (let z = 0; z <= ZOOM_MOST; z += 1) {
    const [west, east] = [BOUNDS[0], BOUNDS[2]].map((lon) => Math.floor(tileAcross(lon, z)))
    const [north, south] = [BOUNDS[3], BOUNDS[1]].map((lat) => Math.floor(tileDown(lat, z)))
    for (let x = west ?? 0; x <= (east ?? 0); x += 1)
      for (let y = north ?? 0; y <= (south ?? 0); y += 1) {
        const tile = await encodeTile(layersOf({ z, x, y }))
        found.push({ id: (4 ** z - 1) / 3 + placeOnCurve({ z, x, y }), tile: isGzip ? gzipSync(tile) : tile })
      }
  }
  return found.toSorted((one, other) => one.id - other.id)
}

type Entry = { id: number; run: number; length: number; offset: number }

function directory(entries: readonly Entry[]): Buffer {
  const writer = new PbfWriter()
  writer.writeVarint(entries.length)
  entries.forEach(({ id }, i) => writer.writeVarint(id - (entries[i - 1]?.id ?? 0)))
  for (const { run } of entries) writer.writeVarint(run)
  for (const { length } of entries) writer.writeVarint(length)
  entries.forEach(({ offset }, i) => {
    const before = entries[i - 1]
    writer.writeVarint(before && before.offset + before.length === offset ? 0 : offset + 1)
  })
  return gzipSync(writer.finish())
}

/** Entries for each directory below the root. */
const LEAF = 40

/** `attribution`: HTML, as files have it. */
export async function makeBasemap(path: string, attribution: string, { isGzip = true } = {}): Promise<void> {
  const tiles = await tilesOf(isGzip)
  let [end, leafEnd] = [0, 0]
  const entries = tiles.map(({ id, tile }) => ({
    id,
    run: 1,
    length: tile.length,
    offset: (end += tile.length) - tile.length,
  }))
  const leaves = Array.from({ length: Math.ceil(entries.length / LEAF) }, (_, i) =>
    entries.slice(i * LEAF, (i + 1) * LEAF),
  )
  const written = leaves.map((leaf) => ({ id: leaf[0]?.id ?? 0, bytes: directory(leaf) }))
  const root = directory(
    written.map(({ id, bytes: { length } }) => ({ id, run: 0, length, offset: (leafEnd += length) - length })),
  )
  const metadata = gzipSync(JSON.stringify({ name: 'Fixture', attribution }))
  const parts = [
    root,
    metadata,
    Buffer.concat(written.map(({ bytes }) => bytes)),
    Buffer.concat(tiles.map(({ tile }) => tile)),
  ]
  const header = Buffer.alloc(127)
  header.write('PMTiles\x03', 'latin1')
  let offset = header.length
  for (const [i, { length }] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i)
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * i)
    offset += length
  }
  header.set([1, 2, isGzip ? 2 : 1, 1, 0, ZOOM_MOST], 96)
  for (const [i, corner] of BOUNDS.entries()) header.writeInt32LE(corner * 1e7, 102 + 4 * i)
  writeFileSync(path, Buffer.concat([header, ...parts]))
}

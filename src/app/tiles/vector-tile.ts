/** Writes Mapbox Vector Tiles, version 2 (github.com/mapbox/vector-tile-spec). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PbfWriter } from 'pbf'

/** The units along a side of a tile; sql/tiles/ divides by the same number. */
const EXTENT = 4096

type TileValue = string | number
export type ShapeFeature = {
  /** Also the feature's id in the tile, where it is a number that JavaScript holds exactly. */
  id?: string
  shape: Buffer | null
  properties: Readonly<Record<string, TileValue | null | undefined>>
}
export type ShapeLayer = { name: string; features: readonly ShapeFeature[] }

/** The event loop is free again after so many milliseconds. */
const SLICE_MS = 4

/** A tile that shows nothing is empty: a layer without features is left out. */
export async function encodeTile(layers: readonly ShapeLayer[]): Promise<Buffer> {
  const slice = slices()
  const tile = new PbfWriter()
  for (const layer of layers) {
    const message = await encodeLayer(layer, slice)
    if (message) tile.writeBytesField(3, message)
  }
  return Buffer.from(tile.finish())
}

/** Keys and values are kept once for all features of a layer, and named by their places. */
type ValuePlaces = { keys: Map<string, number>; values: Map<TileValue, number> }

async function encodeLayer({ name, features }: ShapeLayer, slice: Slice) {
  const layer = new PbfWriter()
  layer.writeVarintField(15, 2)
  layer.writeStringField(1, name)
  const kept: ValuePlaces = { keys: new Map(), values: new Map() }
  let written = 0
  for (const feature of features) {
    const drawing = feature.shape && tileDrawing(feature.shape)
    if (!drawing || drawing.commands.length === 0) continue
    layer.writeMessage(2, writeFeature, { id: feature.id, drawing, tags: tagsOf(feature, kept) })
    written += 1
    if (slice.isLong()) await slice.end()
  }
  for (const key of kept.keys.keys()) layer.writeStringField(3, key)
  for (const value of kept.values.keys()) {
    layer.writeMessage(4, writeValue, value)
    if (slice.isLong()) await slice.end()
  }
  layer.writeVarintField(5, EXTENT)
  return written === 0 ? undefined : layer.finish()
}

type Drawn = { id: string | undefined; drawing: TileDrawing; tags: number[] }

function writeFeature({ id, drawing, tags }: Drawn, feature: PbfWriter): void {
  if (id !== undefined && Number.isSafeInteger(Number(id))) feature.writeVarintField(1, Number(id))
  feature.writePackedVarint(2, tags)
  feature.writeVarintField(3, drawing.type)
  feature.writePackedVarint(4, drawing.commands)
}

function tagsOf({ properties }: ShapeFeature, { keys, values }: ValuePlaces): number[] {
  const tags: number[] = []
  for (const key in properties) {
    const value = properties[key]
    if (value !== null && value !== undefined) tags.push(indexIn(keys, key), indexIn(values, value))
  }
  return tags
}

function indexIn<Key>(places: Map<Key, number>, key: Key): number {
  const known = places.get(key)
  if (known !== undefined) return known
  places.set(key, places.size)
  return places.size - 1
}

function writeValue(value: TileValue, message: PbfWriter): void {
  if (typeof value === 'string') message.writeStringField(1, value)
  else if (!Number.isSafeInteger(value)) message.writeDoubleField(3, value)
  else if (value < 0) message.writeSVarintField(6, value)
  else message.writeVarintField(5, value)
}

type Slice = ReturnType<typeof slices>

/** An `await` for each feature would take as long as the rest of the work. */
function slices() {
  let from = performance.now()
  return {
    isLong: () => performance.now() - from > SLICE_MS,
    end: async () => {
      await nextTurn()
      from = performance.now()
    },
  }
}

/** TWKB numbers the kinds of shapes (github.com/TWKB/Specification): points, lines, polygons, and several of each. */
const TWKB_POLYGON = 3
const TWKB_MULTIPOLYGON = 6
const IS_EMPTY = 16

/** The commands of the tile: their number in the lower three bits, how often they are done above. */
const MOVE = 1
const MOVE_TO = MOVE | (1 << 3)
const LINE_TO = 2
const CLOSE_PATH = 7 | (1 << 3)

/** Maps draw a tile on 512 pixels. */
const PIXEL = 8

/** Reads TWKB of whole numbers, which are distances from the point before, as in the tile. */
function tileDrawing(twkb: Uint8Array): TileDrawing {
  const commands: number[] = []
  const kind = (twkb[0] ?? 0) & 15
  const type = DRAWING_TYPES[kind] ?? 0
  const isEmpty = ((twkb[1] ?? 0) & IS_EMPTY) !== 0
  if (isEmpty || type === 0) return { type, commands }
  const source: TwkbSource = { twkb, at: 2, x: 0, y: 0 }
  const pen: TilePen = { commands, x: 0, y: 0 }
  const parts = kind > TWKB_POLYGON ? readTwkbCount(source) : 1
  if (type === POINTS) drawPoints(pen, source, parts)
  else if (type === LINES) drawLines(pen, source, parts)
  else drawPolygons(pen, source, parts)
  return { type, commands }
}

/** The format numbers three types of shapes; one shape may have several parts. */
type TileDrawing = { type: number; commands: number[] }
const [POINTS, LINES, POLYGONS] = [1, 2, 3] as const
const DRAWING_TYPES: Readonly<Record<number, number>> = {
  1: POINTS,
  4: POINTS,
  2: LINES,
  5: LINES,
  [TWKB_POLYGON]: POLYGONS,
  [TWKB_MULTIPOLYGON]: POLYGONS,
}

function drawPoints(pen: TilePen, source: TwkbSource, parts: number): void {
  pen.commands.push(MOVE | (parts << 3))
  for (let left = parts; left > 0; left -= 1) {
    const [x = 0, y = 0] = readPoints(source, 1)
    drawTo(pen, x, y)
  }
}

/** A line that is shorter than a unit of the tile keeps one unit. */
function drawLines(pen: TilePen, source: TwkbSource, parts: number): void {
  for (let left = parts; left > 0; left -= 1) {
    const points = readPoints(source, readTwkbCount(source))
    if (points.length === 2) points.push((points[0] ?? 0) + 1, points[1] ?? 0)
    for (let at = 0; at < points.length; at += 2) {
      if (at === 0) pen.commands.push(MOVE_TO)
      if (at === 2) pen.commands.push(LINE_TO | ((points.length / 2 - 1) << 3))
      drawTo(pen, points[at] ?? 0, points[at + 1] ?? 0)
    }
  }
}

/**
 * PostGIS leaves out points that fall on the one before. A ring without an area is left out, and a polygon whose outer
 * ring has none. A shape of which nothing remains, such as a sliver at the border of an index, keeps the pixel at its
 * middle.
 */
function drawPolygons(pen: TilePen, source: TwkbSource, parts: number): void {
  const extent: TileExtent = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  for (let polygons = parts; polygons > 0; polygons -= 1) {
    let hasOuter = false
    const rings = readTwkbCount(source)
    for (let ring = 0; ring < rings; ring += 1) {
      const points = readRing(source)
      if (ring === 0) widen(extent, points)
      if (ring === 0) hasOuter = drawRing(pen, points, true)
      else if (hasOuter) drawRing(pen, points, false)
    }
  }
  if (pen.commands.length === 0 && extent.minX !== Infinity) drawRing(pen, pixelIn(extent), true)
}

type TileExtent = { minX: number; minY: number; maxX: number; maxY: number }

function widen(extent: TileExtent, points: readonly number[]): void {
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] ?? 0, points[at + 1] ?? 0]
    extent.minX = Math.min(extent.minX, x)
    extent.minY = Math.min(extent.minY, y)
    extent.maxX = Math.max(extent.maxX, x)
    extent.maxY = Math.max(extent.maxY, y)
  }
}

function pixelIn({ minX, minY, maxX, maxY }: TileExtent): number[] {
  const [x, y] = [Math.round((minX + maxX - PIXEL) / 2), Math.round((minY + maxY - PIXEL) / 2)]
  return [x, y, x + PIXEL, y, x + PIXEL, y + PIXEL, x, y + PIXEL]
}

/** `at` is the place of the next byte; `x` and `y` are the point that was read last. */
type TwkbSource = { twkb: Uint8Array; at: number; x: number; y: number }
type TilePen = { commands: number[]; x: number; y: number }

/** Seven bits a byte, the lowest first; the eighth says that more follow. Counts and distances have at most 32 bits. */
function readTwkbCount(source: TwkbSource): number {
  let number = 0
  for (let shift = 0; ; shift += 7) {
    const byte = source.twkb[source.at] ?? 0
    source.at += 1
    number |= (byte & 127) << shift
    if (byte < 128) return number >>> 0
  }
}

function readTwkbDistance(source: TwkbSource): number {
  const number = readTwkbCount(source)
  return (number >>> 1) ^ -(number & 1)
}

/** Returns x and y in turn. */
function readPoints(source: TwkbSource, count: number): number[] {
  const points: number[] = []
  for (let left = count; left > 0; left -= 1) {
    source.x += readTwkbDistance(source)
    source.y += readTwkbDistance(source)
    points.push(source.x, source.y)
  }
  return points
}

/** The last point, which is the first again, is left out. */
function readRing(source: TwkbSource): number[] {
  const points = readPoints(source, readTwkbCount(source))
  points.length = Math.max(0, points.length - 2)
  return points
}

/** The format knows outer rings by their positive area, with y to the south, and inner ones by a negative one. */
function drawRing(pen: TilePen, points: readonly number[], isOuter: boolean): boolean {
  const area = twiceTheArea(points)
  if (area === 0) return false
  const count = points.length / 2
  const isReversed = area > 0 !== isOuter
  for (let step = 0; step < count; step += 1) {
    const at = 2 * (isReversed ? count - 1 - step : step)
    if (step === 0) pen.commands.push(MOVE_TO)
    if (step === 1) pen.commands.push(LINE_TO | ((count - 1) << 3))
    drawTo(pen, points[at] ?? 0, points[at + 1] ?? 0)
  }
  pen.commands.push(CLOSE_PATH)
  return true
}

function drawTo(pen: TilePen, x: number, y: number): void {
  pen.commands.push(zigzag(x - pen.x), zigzag(y - pen.y))
  pen.x = x
  pen.y = y
}

const zigzag = (distance: number) => (distance << 1) ^ (distance >> 31)

function twiceTheArea(points: readonly number[]): number {
  let sum = 0
  let x = points.at(-2) ?? 0
  let y = points.at(-1) ?? 0
  for (let at = 0; at < points.length; at += 2) {
    const [nextX, nextY] = [points[at] ?? 0, points[at + 1] ?? 0]
    sum += x * nextY - nextX * y
    x = nextX
    y = nextY
  }
  return sum
}

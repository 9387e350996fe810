/** Turns the shapes of a tile's rows into the drawing commands of a Mapbox Vector Tile. */
import { PbfReader } from 'pbf'

const POLYGON = 3
const MULTIPOLYGON = 6

/** The commands of the format: their number in the lower three bits, how often it is done above them. */
const MOVE_TO = 1
const LINE_TO = 2
const CLOSE_PATH = 7 | (1 << 3)

/**
 * Reads TWKB without precision, which holds whole numbers as distances from the point before, as the tile does.
 * PostGIS leaves out points that fall on the one before. A ring without an area, and a polygon whose outer ring has
 * none, are left out.
 */
export function drawingOf(twkb: Buffer): number[] {
  const reader = new PbfReader(twkb)
  const kind = reader.readVarint() & 15
  const isEmpty = (reader.readVarint() & 16) !== 0
  const commands: number[] = []
  if (isEmpty || (kind !== POLYGON && kind !== MULTIPOLYGON)) return commands
  const pen: Pen = { commands, x: 0, y: 0 }
  const from: Point = { x: 0, y: 0 }
  for (let polygons = kind === POLYGON ? 1 : reader.readVarint(); polygons > 0; polygons -= 1) {
    let hasOuter = false
    const rings = reader.readVarint()
    for (let ring = 0; ring < rings; ring += 1) {
      const points = readRing(reader, from)
      if (ring === 0) hasOuter = drawRing(pen, points, true)
      else if (hasOuter) drawRing(pen, points, false)
    }
  }
  return commands
}

type Point = { x: number; y: number }
type Pen = Point & { commands: number[] }

/** x and y in turn. The last point, which is the first again, is left out. */
function readRing(reader: PbfReader, from: Point): number[] {
  const points: number[] = []
  for (let left = reader.readVarint(); left > 0; left -= 1) {
    from.x += reader.readSVarint()
    from.y += reader.readSVarint()
    points.push(from.x, from.y)
  }
  points.length = Math.max(0, points.length - 2)
  return points
}

/** The format knows outer rings by their positive area, with y to the south, and inner ones by a negative one. */
function drawRing(pen: Pen, points: number[], isOuter: boolean): boolean {
  const area = twiceTheArea(points)
  if (area === 0) return false
  const count = points.length / 2
  const isReversed = area > 0 !== isOuter
  for (let step = 0; step < count; step += 1) {
    const at = 2 * (isReversed ? count - 1 - step : step)
    if (step === 0) pen.commands.push(MOVE_TO | (1 << 3))
    if (step === 1) pen.commands.push(LINE_TO | ((count - 1) << 3))
    moveTo(pen, points[at] ?? 0, points[at + 1] ?? 0)
  }
  pen.commands.push(CLOSE_PATH)
  return true
}

function moveTo(pen: Pen, x: number, y: number): void {
  pen.commands.push(zigzag(x - pen.x), zigzag(y - pen.y))
  pen.x = x
  pen.y = y
}

const zigzag = (distance: number) => (distance << 1) ^ (distance >> 31)

function twiceTheArea(points: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    sum += (points[at] ?? 0) * (points[next + 1] ?? 0) - (points[next] ?? 0) * (points[at + 1] ?? 0)
  }
  return sum
}

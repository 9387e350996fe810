/** Writes Mapbox Vector Tiles, version 2 (github.com/mapbox/vector-tile-spec). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PbfWriter } from 'pbf'
import { drawingOf, type Drawing } from './shape.js'

/** The units along a side of a tile; sql/tiles/ divides by the same number. */
const EXTENT = 4096

type Value = string | number
export type ShapeFeature = {
  /** Also the feature's id in the tile, where it is a number that JavaScript holds exactly. */
  id?: string
  shape: Buffer | null
  properties: Readonly<Record<string, Value | null | undefined>>
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
type ValuePlaces = { keys: Map<string, number>; values: Map<Value, number> }

async function encodeLayer({ name, features }: ShapeLayer, slice: Slice) {
  const layer = new PbfWriter()
  layer.writeVarintField(15, 2)
  layer.writeStringField(1, name)
  const kept: ValuePlaces = { keys: new Map(), values: new Map() }
  let written = 0
  for (const feature of features) {
    const drawing = feature.shape && drawingOf(feature.shape)
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

type Drawn = { id: string | undefined; drawing: Drawing; tags: number[] }

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
    if (value !== null && value !== undefined) tags.push(placeIn(keys, key), placeIn(values, value))
  }
  return tags
}

function placeIn<Key>(places: Map<Key, number>, key: Key): number {
  const known = places.get(key)
  if (known !== undefined) return known
  places.set(key, places.size)
  return places.size - 1
}

function writeValue(value: Value, message: PbfWriter): void {
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

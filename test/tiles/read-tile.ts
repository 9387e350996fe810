/** Reads Mapbox Vector Tiles, as the format's specification says and not as the service writes them. */
import { PbfReader } from 'pbf'

export type TileFeature = {
  id: number | undefined
  properties: Record<string, string | number>
  /** 1 for points, 2 for lines, 3 for polygons. */
  type: number
  /** Points, lines, or rings without the point that closes them, in units of the tile. */
  rings: [x: number, y: number][][]
}
export type TileLayers = Record<string, { version: number; extent: number; features: TileFeature[] }>

export function readTile(bytes: Buffer): TileLayers {
  const layers: TileLayers = {}
  for (const [tag, message] of fieldsOf(bytes)) {
    if (tag !== 3) throw new Error(`Field ${tag} is no layer.`)
    const fields = fieldsOf(message as Buffer)
    const all = (wanted: number) => fields.filter(([each]) => each === wanted).map(([, value]) => value)
    const keys = all(3).map(String)
    const values = all(4).map((value) => valueOf(value as Buffer))
    layers[String(all(1)[0])] = {
      version: Number(all(15)[0]),
      extent: Number(all(5)[0]),
      features: all(2).map((feature) => featureOf(feature as Buffer, keys, values)),
    }
  }
  return layers
}

type Field = [tag: number, value: Buffer | number]

function fieldsOf(bytes: Buffer): Field[] {
  const reader = new PbfReader(bytes)
  const fields: Field[] = []
  while (reader.pos < reader.length) {
    const head = reader.readVarint()
    const wire = head & 7
    const value = wire === 0 ? reader.readVarint() : wire === 1 ? reader.readDouble() : Buffer.from(reader.readBytes())
    if (![0, 1, 2].includes(wire)) throw new Error(`A field of wire type ${wire} came.`)
    fields.push([head >> 3, value])
  }
  return fields
}

function valueOf(message: Buffer): string | number {
  const [field, ...more] = fieldsOf(message)
  if (!field || more.length > 0) throw new Error('A value has one field.')
  const [tag, value] = field
  if (tag === 1) return String(value)
  if (tag === 6) return Number(value) % 2 === 0 ? Number(value) / 2 : -(Number(value) + 1) / 2
  return Number(value)
}

function featureOf(message: Buffer, keys: readonly string[], values: readonly (string | number)[]): TileFeature {
  const feature: TileFeature = { id: undefined, properties: {}, type: 0, rings: [] }
  for (const [tag, value] of fieldsOf(message)) {
    if (tag === 1) feature.id = Number(value)
    else if (tag === 2) feature.properties = propertiesOf(varintsOf(value as Buffer), keys, values)
    else if (tag === 4) feature.rings = ringsOf(varintsOf(value as Buffer))
    else if (tag === 3 && [1, 2, 3].includes(Number(value))) feature.type = Number(value)
    else throw new Error(`Field ${tag} holds ${String(value)}: a type of shapes was expected.`)
  }
  return feature
}

function varintsOf(bytes: Buffer): number[] {
  const reader = new PbfReader(bytes)
  const numbers: number[] = []
  while (reader.pos < reader.length) numbers.push(reader.readVarint())
  return numbers
}

function propertiesOf(tags: readonly number[], keys: readonly string[], values: readonly (string | number)[]) {
  const properties: Record<string, string | number> = {}
  for (let at = 0; at < tags.length; at += 2) {
    const [key, value] = [keys[tags[at] ?? -1], values[tags[at + 1] ?? -1]]
    if (key === undefined || value === undefined) throw new Error('A tag names a key or a value that is not there.')
    properties[key] = value
  }
  return properties
}

function ringsOf(commands: readonly number[]): TileFeature['rings'] {
  const rings: TileFeature['rings'] = []
  const next = commands.values()
  const distance = () => {
    const number = Number(next.next().value)
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2
  }
  let [x, y] = [0, 0]
  for (const command of next) {
    const [does, times] = [command & 7, command >> 3]
    if (does === 1) rings.push([])
    if (does === 7) continue
    for (let left = times; left > 0; left -= 1) {
      x += distance()
      y += distance()
      rings.at(-1)?.push([x, y])
    }
  }
  return rings
}

/** The area of an outer ring is positive, and that of an inner one negative. */
export function areaOf(ring: readonly (readonly [number, number])[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [0, 0]
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
}

/** Reads the shapes of a tile, with their values where a dataset colours it. */
import type { Reader } from '../../db/replicas/reader.js'
import type { TileAddress } from './address.js'
import type { Colour } from './colour.js'
import type { Layer } from './encode.js'
import {
  framesOfAttribute,
  framesOfFeatures,
  framesOfTile,
  unitsOfTile,
  type FrameOfTile,
  type TileNumber,
  type UnitOfTile,
} from './statements.js'

export async function layersOf(reader: Reader, address: TileAddress, colour: Colour | undefined): Promise<Layer[]> {
  if (address.layer === 'units') return unitLayers(await unitsOfTile(reader, address.z, address.x, address.y))
  const features = (await framesOf(reader, address, colour)).map(({ id, shape, ...values }) => ({
    id,
    shape,
    properties: { id, ...values },
  }))
  return [{ name: 'frames', features }]
}

async function framesOf(reader: Reader, { z, x, y }: TileNumber, colour: Colour | undefined): Promise<FrameOfTile[]> {
  if (!colour) return await framesOfTile(reader, z, x, y)
  const { attribute, dataset } = colour
  return attribute === undefined
    ? await framesOfFeatures(reader, z, x, y, dataset.layerId)
    : await framesOfAttribute(reader, z, x, y, dataset.layerId, attribute)
}

/** A map draws the units of each level in a way of its own. */
function unitLayers(units: readonly UnitOfTile[]): Layer[] {
  const layers = { states: [] as UnitOfTile[], lgas: [] as UnitOfTile[], wards: [] as UnitOfTile[] }
  for (const unit of units) layers[levelOf(unit)].push(unit)
  return Object.entries(layers).map(([name, ofLevel]) => ({
    name,
    features: ofLevel.map(({ id, shape, ...properties }) => ({ id, shape, properties })),
  }))
}

const levelOf = ({ lga, ward }: UnitOfTile) => (ward === null ? (lga === null ? 'states' : 'lgas') : 'wards')

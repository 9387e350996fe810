/** Reads the shapes of a tile, with their values where a dataset colours it. */
import type { Reader } from '../../db/replicas/reader.js'
import type { TileAddress } from './address.js'
import type { Colour } from './colour.js'
import type { Feature, Layer } from './encode.js'
import {
  blocksOfAttribute,
  blocksOfTile,
  framesOfAttribute,
  framesOfFeatures,
  framesOfTile,
  unitsOfAttribute,
  unitsOfTile,
  type BlockOfTile,
  type FrameOfTile,
  type TileNumber,
  type UnitOfTile,
} from './statements.js'

export async function layersOf(reader: Reader, address: TileAddress, colour: Colour | undefined): Promise<Layer[]> {
  switch (address.layer) {
    case 'units':
      return unitLayers(await unitsOf(reader, address, colour))
    case 'blocks':
      return [{ name: 'blocks', features: (await blocksOf(reader, address, colour)).map(blockFeature) }]
    case 'frames':
      return [{ name: 'frames', features: (await framesOf(reader, address, colour)).map(frameFeature) }]
  }
}

const unitsOf = (reader: Reader, { z, x, y }: TileNumber, colour: Colour | undefined): Promise<UnitOfTile[]> =>
  colour ? unitsOfAttribute(reader, z, x, y, colour.dataset.layerId, colour.attribute) : unitsOfTile(reader, z, x, y)

const blocksOf = (reader: Reader, { z, x, y }: TileNumber, colour: Colour | undefined): Promise<BlockOfTile[]> =>
  colour ? blocksOfAttribute(reader, z, x, y, colour.dataset.layerId, colour.attribute) : blocksOfTile(reader, z, x, y)

function framesOf(reader: Reader, { z, x, y }: TileNumber, colour: Colour | undefined): Promise<FrameOfTile[]> {
  if (!colour) return framesOfTile(reader, z, x, y)
  const { dataset, attribute } = colour
  return dataset.kind === 'frames'
    ? framesOfAttribute(reader, z, x, y, dataset.layerId, attribute)
    : framesOfFeatures(reader, z, x, y, dataset.layerId)
}

const blockFeature = ({ id, shape, ...properties }: BlockOfTile): Feature => ({ id, shape, properties })

/** JavaScript holds no id of a tile above 2^53 exactly, so the property has the whole id. */
const frameFeature = ({ id, shape, ...values }: FrameOfTile): Feature => ({ id, shape, properties: { id, ...values } })

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

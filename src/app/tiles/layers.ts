/** Reads the shapes of a tile, with their values where a dataset colours it. */
import type { Reader } from '../../core/db/replicas/reader.js'
import type { DatasetRow } from '../../core/db/statements.js'
import type { TileAddress } from './address.js'
import type { TileColour } from './colour.js'
import type { ShapeFeature, ShapeLayer } from './encode.js'
import { readFeatureLayer } from './features.js'
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

export async function readTileLayers(
  reader: Reader,
  address: TileAddress,
  colour: TileColour | undefined,
  featureDatasets: readonly DatasetRow[] = [],
): Promise<ShapeLayer[]> {
  switch (address.layer) {
    case 'units':
      return unitLayers(await unitsInTile(reader, address, colour))
    case 'blocks':
      return [{ name: 'blocks', features: (await blocksInTile(reader, address, colour)).map(blockShape) }]
    case 'frames':
      return [{ name: 'frames', features: (await framesInTile(reader, address, colour)).map(frameShape) }]
    case 'features':
      return await readFeatureLayer(reader, address, featureDatasets)
  }
}

const unitsInTile = (reader: Reader, { z, x, y }: TileNumber, colour: TileColour | undefined): Promise<UnitOfTile[]> =>
  colour ? unitsOfAttribute(reader, z, x, y, colour.dataset.layerId, colour.attribute) : unitsOfTile(reader, z, x, y)

const blocksInTile = (
  reader: Reader,
  { z, x, y }: TileNumber,
  colour: TileColour | undefined,
): Promise<BlockOfTile[]> =>
  colour ? blocksOfAttribute(reader, z, x, y, colour.dataset.layerId, colour.attribute) : blocksOfTile(reader, z, x, y)

function framesInTile(reader: Reader, { z, x, y }: TileNumber, colour: TileColour | undefined): Promise<FrameOfTile[]> {
  if (!colour) return framesOfTile(reader, z, x, y)
  const { dataset, attribute } = colour
  return dataset.kind === 'frames'
    ? framesOfAttribute(reader, z, x, y, dataset.layerId, attribute)
    : framesOfFeatures(reader, z, x, y, dataset.layerId)
}

const blockShape = ({ id, shape, ...properties }: BlockOfTile): ShapeFeature => ({ id, shape, properties })

/** JavaScript holds no id of a tile above 2^53 exactly, so the property has the whole id. */
const frameShape = ({ id, shape, ...values }: FrameOfTile): ShapeFeature => ({
  id,
  shape,
  properties: { id, ...values },
})

/** A map draws the units of each level in a way of its own. */
function unitLayers(units: readonly UnitOfTile[]): ShapeLayer[] {
  const layers = { states: [] as UnitOfTile[], lgas: [] as UnitOfTile[], wards: [] as UnitOfTile[] }
  for (const unit of units) layers[levelOf(unit)].push(unit)
  return Object.entries(layers).map(([name, ofLevel]) => ({
    name,
    features: ofLevel.map(({ id, shape, ...properties }) => ({ id, shape, properties })),
  }))
}

const levelOf = ({ lga, ward }: UnitOfTile) => (ward === null ? (lga === null ? 'states' : 'lgas') : 'wards')

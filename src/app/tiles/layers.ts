/** Reads the shapes of a tile. */
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import type { FrameOfTile, UnitOfTile } from './rows.js'
import type { TileAddress } from './address.js'
import type { ShapeFeature, ShapeLayer } from './vector-tile.js'
import { featuresOfTile, framesOfTile, unitsOfTile } from './statements.js'
import type { Authority } from '../../core/access/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import type { Services } from '../../services.js'

export async function readTileLayers(
  reader: Reader,
  address: TileAddress,
  datasets: readonly DatasetRow[] = [],
): Promise<ShapeLayer[]> {
  const { layer, z, x, y } = address
  switch (layer) {
    case 'units':
      return unitLayers(await unitsOfTile(reader, z, x, y))
    case 'frames':
      return [{ name: layer, features: (await framesOfTile(reader, z, x, y)).map(frameShape) }]
    case 'features':
      return await readFeatureLayer(reader, address, datasets)
  }
}

/** JavaScript holds no id of a tile above 2^53 exactly, so the property has the whole id. */
const frameShape = ({ id, shape }: FrameOfTile): ShapeFeature => ({ id, shape, properties: { id } })

/** A map draws the units of each level in a way of its own, and over cells of frames what lies outside of all states. */
function unitLayers(units: readonly UnitOfTile[]): ShapeLayer[] {
  const layers: Record<ReturnType<typeof layerOf>, UnitOfTile[]> = { states: [], lgas: [], wards: [], outside: [] }
  for (const unit of units) layers[layerOf(unit)].push(unit)
  return Object.entries(layers).map(([name, ofLevel]) => ({
    name,
    features: ofLevel.map(({ id, shape, ...properties }) => ({ id, shape, properties })),
  }))
}

const layerOf = ({ state, lga, ward }: UnitOfTile) =>
  state === null ? 'outside' : lga === null ? 'states' : ward === null ? 'lgas' : 'wards'

/** A tile of 512 pixels with more symbols of one dataset shows nothing else. */
const FEATURES_MOST = 500
/** A tile looks at this many features of a dataset at most: 30 ms for a dataset of a million buildings. */
const FEATURES_MET = 10_000

/** A tile has the features of every dataset that the person's organisation reads at no cost. */
export async function featureDatasets(
  { authorityReader }: Services,
  deadline: Parameters<typeof withDeadline>[1],
  reader: Reader,
  person: Authority,
): Promise<DatasetRow[]> {
  const visible = await visibleDatasets(withDeadline(authorityReader, deadline), reader, person)
  return visible.filter(({ kind, price }) => kind !== 'frames' && price === null)
}

async function readFeatureLayer(
  reader: Reader,
  { z, x, y }: TileAddress,
  datasets: readonly DatasetRow[],
): Promise<ShapeLayer[]> {
  const layers = datasets.map(({ layerId }) => layerId)
  const found = layers.length === 0 ? [] : await featuresOfTile(reader, z, x, y, layers, FEATURES_MOST, FEATURES_MET)
  return [{ name: 'features', features: found.map(({ shape, ...properties }) => ({ shape, properties })) }]
}

/** Reads the features of a tile: those of every dataset that the person's organisation reads at no cost. */
import type { Authority } from '../../core/access/authority.js'
import { visibleDatasets } from '../../core/datasets/visible.js'
import { withDeadline } from '../../core/db/connect.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import type { DatasetRow } from '../../core/db/statements.js'
import type { Services } from '../../services.js'
import type { TileAddress } from './address.js'
import type { ShapeLayer } from './encode.js'
import { featuresOfTile } from './statements.js'

/** A tile of 512 pixels with more symbols of one dataset shows nothing else. */
const FEATURES_MOST = 500
/** A tile looks at this many features of a dataset at most: 30 ms for a dataset of a million buildings. */
const FEATURES_MET = 10_000

export async function featureDatasets(
  { authorityReader }: Services,
  deadline: Parameters<typeof withDeadline>[1],
  reader: Reader,
  person: Authority,
): Promise<DatasetRow[]> {
  const visible = await visibleDatasets(withDeadline(authorityReader, deadline), reader, person)
  return visible.filter(({ kind, price }) => kind !== 'frames' && price === null)
}

export async function readFeatureLayer(
  reader: Reader,
  { z, x, y }: TileAddress,
  datasets: readonly DatasetRow[],
): Promise<ShapeLayer[]> {
  const layers = datasets.map(({ layerId }) => layerId)
  const found = layers.length === 0 ? [] : await featuresOfTile(reader, z, x, y, layers, FEATURES_MOST, FEATURES_MET)
  return [
    {
      name: 'features',
      features: found.map(({ shape, ...properties }) => ({ shape, properties })),
    },
  ]
}

/** Reads the shapes of a tile, with their values where a dataset colours it. */
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import type { Before, BlockOfTile, FrameOfTile, TileNumber, UnitOfTile } from './rows.js'
import { roundOutwards } from '../../core/decimal.js'
import type { TileAddress } from './address.js'
import type { TileColour } from './colour.js'
import type { ShapeFeature, ShapeLayer } from './vector-tile.js'
import {
  blocksOfAttribute,
  blocksOfTile,
  featuresOfTile,
  framesOfAttribute,
  framesOfFeatures,
  framesOfTile,
  totalsOfUnits,
  unitsOfAttribute,
  unitsOfTile,
  valuesOfFrames,
} from './statements.js'
import type { Authority } from '../../core/access/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import type { Services } from '../../services.js'

export async function readTileLayers(
  reader: Reader,
  address: TileAddress,
  colour: TileColour | undefined,
  datasets: readonly DatasetRow[] = [],
): Promise<ShapeLayer[]> {
  const withBefore = <Row extends Compared>(rows: Promise<Row[]>) => withValuesBefore(reader, address, colour, rows)
  const { layer, z, x, y } = address
  const coloured = colour && ([z, x, y, colour.dataset.layerId, colour.attribute] as const)
  switch (layer) {
    case 'units': {
      const units = coloured ? unitsOfAttribute(reader, ...coloured) : unitsOfTile(reader, z, x, y)
      return unitLayers(await withBefore(units))
    }
    case 'blocks': {
      const blocks = coloured ? blocksOfAttribute(reader, ...coloured) : blocksOfTile(reader, z, x, y)
      return [{ name: layer, features: (await withBefore(blocks)).map(blockShape) }]
    }
    case 'frames':
      return [{ name: layer, features: (await withBefore(framesInTile(reader, address, colour))).map(frameShape) }]
    case 'features':
      return await readFeatureLayer(reader, address, datasets)
  }
}

function framesInTile(reader: Reader, { z, x, y }: TileNumber, colour: TileColour | undefined): Promise<FrameOfTile[]> {
  if (!colour) return framesOfTile(reader, z, x, y)
  const { dataset, attribute } = colour
  return dataset.kind === 'frames'
    ? framesOfAttribute(reader, z, x, y, dataset.layerId, attribute)
    : framesOfFeatures(reader, z, x, y, dataset.layerId)
}

type Compared = { id: string; recorded?: number; before?: number; lower?: number | null; upper?: number | null }

/** Totals are compared where as many frames record both: of other frames, they would tell of these. */
async function withValuesBefore<Row extends Compared>(
  reader: Reader,
  { layer }: TileAddress,
  colour: TileColour | undefined,
  reading: Promise<Row[]>,
): Promise<Row[]> {
  const rows = colour?.isDrawn ? (await reading).map(withRoundBounds) : await reading
  if (!colour?.before || rows.length === 0) return rows
  const read = layer === 'frames' ? valuesOfFrames : totalsOfUnits
  const ids = rows.map(({ id }) => id)
  const before = await read(reader, ids, colour.before.dataset.layerId, colour.before.attribute)
  const found = new Map(before.map((row): [string, Before] => [row.id, row]))
  return rows.map((row) => {
    const { value, recorded } = found.get(row.id) ?? {}
    return value === undefined || recorded !== row.recorded ? row : { ...row, before: value }
  })
}

/** As a panel writes them; and a tile holds each of a few values once. */
function withRoundBounds<Row extends Compared>(row: Row): Row {
  const { lower = null, upper = null } = row
  if (lower === null || upper === null) return row
  const round = roundOutwards({ lower: String(lower), upper: String(upper) })
  return { ...row, lower: Number(round.lower), upper: Number(round.upper) }
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

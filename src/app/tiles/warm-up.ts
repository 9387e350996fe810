/** Reads a few tiles and a square before anybody waits for one. */
import type { Reader } from '../../core/db/index.js'
import { type Corners, cornersOf } from '../../core/place.js'
import { extentOfIndex } from '../map/statements.js'
import type { TileAddress } from './address.js'
import { encodeTile } from './vector-tile.js'
import { readTileLayers } from './layers.js'
import { framesOfSquare } from './values.js'

/**
 * On the embedded database the first tiles take 270, 150 and 120 ms, and later ones 35: PROJ opens its database, and V8
 * compiles the code that runs most often.
 */
const WARM_UP_ROUNDS = 3

const WARM_UP_ZOOM = 9

/** Reads what lies in the middle of the index, where the first view of the map is. */
export async function warmUpTiles(reader: Reader): Promise<void> {
  const [extent] = await extentOfIndex(reader)
  const corners = cornersOf(extent)
  if (!corners) return
  const [minLon, minLat, maxLon, maxLat] = corners
  const square = [Math.floor((minLon + maxLon) / 2), Math.floor((minLat + maxLat) / 2)] as const
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await encodeTile(await readTileLayers(reader, { layer: 'units', ...tileInMiddle(WARM_UP_ZOOM, corners) }))
    await framesOfSquare(reader, square, undefined)
  }
}

function tileInMiddle(z: number, [minLon, minLat, maxLon, maxLat]: Corners): Omit<TileAddress, 'layer'> {
  const north = Math.asinh(Math.tan((((minLat + maxLat) / 2) * Math.PI) / 180)) / Math.PI
  const cell = (share: number) => Math.min(2 ** z - 1, Math.max(0, Math.floor(share * 2 ** z)))
  return { z, x: cell(((minLon + maxLon) / 2 + 180) / 360), y: cell((1 - north) / 2) }
}

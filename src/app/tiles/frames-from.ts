/** The zoom from which an index has tiles of frames. */
import type { Reader } from '../../core/db/replicas/reader.js'
import { extentOfIndex, type IndexExtent } from '../map/statements.js'
import { noSuchZoom, ZOOMS, type TileAddress } from './address.js'

/** At zoom 9 a tile has some 5,000 frames of a grid of 0.01 degrees, and at zoom 8 four times as many: 144 ms of SQL. */
const FRAMES_FROM = 9

/** A run has up to 256 frames. An index of fewer runs has no more frames than four full tiles. */
const RUNS_SMALL = 80

const [FRAMES_FROM_SMALL, FRAMES_TO] = ZOOMS.frames

export const framesFrom = ({ runs }: Pick<IndexExtent, 'runs'>): number =>
  runs < RUNS_SMALL ? FRAMES_FROM_SMALL : FRAMES_FROM

/** The map does not ask for these tiles; other programs with the session of a person may. */
export async function refuseTooManyFrames(reader: Reader, { layer, z }: TileAddress): Promise<void> {
  if (layer !== 'frames' || z >= FRAMES_FROM) return
  const [extent] = await extentOfIndex(reader)
  const least = framesFrom({ runs: extent?.runs ?? 0 })
  if (z < least) throw noSuchZoom(layer, [least, FRAMES_TO], z)
}

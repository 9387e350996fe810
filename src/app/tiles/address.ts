/** Reads the address of a tile: a layer, and the number of a tile that the layer has in this index. */
import { notFound } from '../../core/errors.js'
import type { Reader } from '../../core/db/index.js'
import type { TileNumber } from '../basemap/tile-file.js'
import { extentOfIndex } from '../map/statements.js'

type LayerName = 'units' | 'frames' | 'features'
export type TileAddress = TileNumber & { layer: LayerName }

/** The frames of a small index begin one zoom earlier: see SHAPES_FROM. */
const ZOOMS: Readonly<Record<LayerName, readonly [least: number, most: number]>> = {
  units: [0, 14],
  frames: [8, 14],
  features: [11, 14],
}

/** Whole numbers as maps write them: no sign, no leading zero, no exponent. */
const TILE_DIGITS = /^(0|[1-9]\d{0,8})$/

export function tileAddress(params: Readonly<Record<string, unknown>>): TileAddress {
  const layer = String(params['layer'])
  if (!isLayer(layer)) throw notFound(`There are tiles of ${Object.keys(ZOOMS).join(', ')}: not of "${short(layer)}".`)
  return { layer, ...tileNumber(params, layer, ZOOMS[layer]) }
}

/** `of`: the tiles that have these zooms. */
export function tileNumber(
  params: Readonly<Record<string, unknown>>,
  of: string,
  [least, most]: readonly [least: number, most: number],
): TileNumber {
  const [z, x, y] = [params['z'], params['x'], params['y']].map(String)
  const zoom = partOfAddress(z, least, most)
  if (zoom === undefined) throw noSuchZoom(of, [least, most], short(z))
  const last = 2 ** zoom - 1
  const [column, row] = [partOfAddress(x, 0, last), partOfAddress(y, 0, last)]
  if (column === undefined || row === undefined)
    throw notFound(
      `At zoom ${zoom}, x and y are whole numbers from 0 to ${last}: "${short(x)}" and "${short(y)}" were asked for.`,
    )
  return { z: zoom, x: column, y: row }
}

const noSuchZoom = (layer: string, [least, most]: readonly [number, number], came: string | number) =>
  notFound(`Tiles of ${layer} have zooms from ${least} to ${most}: "${came}" was asked for.`)

const isLayer = (text = ''): text is LayerName => Object.hasOwn(ZOOMS, text)

function partOfAddress(text = '', least: number, most: number): number | undefined {
  const number = TILE_DIGITS.test(text) ? Number(text) : NaN
  return number >= least && number <= most ? number : undefined
}

/** Shortens what came, for a message. */
const short = (text = '') => text.slice(0, 40)

/** At zoom 9 a tile has some 5,000 frames of a grid of 0.01 degrees, and at zoom 8 four times as many: 144 ms of SQL. */
const SHAPES_FROM = 9

/** A run has up to 256 frames. An index of fewer runs has no more frames than four full tiles. */
const RUNS_SMALL = 80

const [SHAPES_FROM_SMALL, SHAPES_TO] = ZOOMS.frames

const shapesFrom = ({ runs }: { runs: number }): number => (runs < RUNS_SMALL ? SHAPES_FROM_SMALL : SHAPES_FROM)

/** A cell is wider than a pixel from zoom 6.2 on. */
const CELLS_FROM = 6

/** The map draws frames from this zoom on: cells without their shapes. */
export const framesFrom = (extent: { runs: number; isGrid: boolean }): number =>
  extent.isGrid ? CELLS_FROM : shapesFrom(extent)

/** The map does not ask for these tiles; other programs with the session of a person may. */
export async function refuseTooManyFrames(reader: Reader, { layer, z }: TileAddress): Promise<void> {
  if (layer !== 'frames' || z >= SHAPES_FROM) return
  const [extent] = await extentOfIndex(reader)
  const least = shapesFrom({ runs: extent?.runs ?? 0 })
  if (z < least) throw noSuchZoom(layer, [least, SHAPES_TO], z)
}

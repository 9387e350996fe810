/**
 * Asks for the tiles of the first view while the browser still reads MapLibre, which takes as long as the tiles do. The
 * map takes them from here: to ask the service again whether they are current would take another round trip for each.
 */
import { colouringOf, element } from './map-browser.js'
import { beforeOf } from '../map/classes.js'
import { levelAt, mapStyle } from './map-style.js'
import {
  boundsAround,
  eastOf,
  firstCamera,
  southOf,
  squaresIn,
  valuesAddress,
  WORLD_PIXELS,
  type MapBounds,
  type MapCamera,
} from './map-view.js'

type VectorSource = { type: string; tiles?: string[]; minzoom?: number; maxzoom?: number; bounds?: MapBounds }

/** As far as a web map goes. */
const WORLD: MapBounds = [-180, -85, 180, 85]

/** Lists the tiles that the map asks for first. */
function firstTiles({ center: [lon, lat], zoom }: MapCamera): string[] {
  const { sources, layers } = mapStyle()
  const { width, height } = element('map').getBoundingClientRect()
  const isShown = (name: string) =>
    layers.some(
      (layer) =>
        'source' in layer && layer.source === name && zoom >= (layer.minzoom ?? 0) && zoom < (layer.maxzoom ?? 24),
    )
  return Object.entries(sources).flatMap(([name, source]) => {
    const { type, tiles, minzoom = 0, maxzoom = 22, bounds = WORLD } = source as VectorSource
    if (type !== 'vector' || !isShown(name)) return []
    const z = Math.min(maxzoom, Math.max(minzoom, Math.floor(zoom)))
    const [west, south, east, north] = bounds
    const half = 0.5 / 2 ** zoom
    const columns = tilesAcross(z, { middle: eastOf(lon), half: width * half, from: eastOf(west), to: eastOf(east) })
    const rows = tilesAcross(z, { middle: southOf(lat), half: height * half, from: southOf(north), to: southOf(south) })
    return columns.flatMap((column) =>
      rows.map((row) =>
        (tiles?.[0] ?? '').replace('{z}', String(z)).replace('{x}', String(column)).replace('{y}', String(row)),
      ),
    )
  })
}

/** Lists the values that the map asks for first. */
function firstValues(camera: MapCamera): string[] {
  const colouring = colouringOf('legend')
  const level = levelAt(camera.zoom)
  const paths =
    level === 'frame'
      ? squaresIn(boundsAround(camera, element('map').getBoundingClientRect())).map((square) => square.join('/'))
      : colouring
        ? [level]
        : []
  const earlier = colouring && beforeOf(colouring.paint)
  return paths.flatMap((path) =>
    [colouring?.values, ...(earlier ? [earlier] : [])].map((asked) => valuesAddress(path, asked)),
  )
}

/** Numbers the tiles that cover a window as far as there is anything, in pixels at zoom 0. */
function tilesAcross(
  z: number,
  { middle, half, from, to }: Record<'middle' | 'half' | 'from' | 'to', number>,
): number[] {
  const place = (pixels: number) =>
    Math.min(2 ** z - 1, Math.max(0, Math.floor((pixels / WORLD_PIXELS + 0.5) * 2 ** z)))
  const [first, last] = [place(Math.max(middle - half, from)), place(Math.min(middle + half, to))]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
}

export type TilesAhead = {
  has: (tile: string) => boolean
  /** A tile is handed out once: later the map asks the service. */
  take: (tile: string) => Promise<Response> | undefined
  /** Drops the tiles that the first view did not ask for: the map may come there much later. */
  forget: () => void
}

function askFor(tiles: readonly string[]): TilesAhead {
  const answers = new Map(
    tiles.map((tile): [string, Promise<Response>] => {
      const { href } = new URL(tile, location.href)
      const answer = fetch(href)
      // The map says why a tile failed.
      answer.catch(() => undefined)
      return [href, answer]
    }),
  )
  const take = (tile: string) => {
    const found = answers.get(tile)
    answers.delete(tile)
    return found
  }
  return { has: (tile) => answers.has(tile), take, forget: () => answers.clear() }
}

const first = firstCamera()
export const tilesAhead = askFor(
  document.querySelector('.map-area') ? [...firstValues(first), ...firstTiles(first)] : [],
)

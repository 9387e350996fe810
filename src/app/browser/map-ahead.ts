/**
 * Asks for the tiles of the first view while the browser still reads MapLibre, which takes as long as the tiles do. The
 * map then asks for the same tiles, and the browser has them: the service answers with 304.
 */
import { address, element, mapDocument } from './map-browser.js'
import { mapStyle } from './map-style.js'
import { eastOf, firstCamera, southOf, WORLD_PIXELS, type MapCamera } from './map-view.js'

type VectorSource = { type: string; tiles?: string[]; minzoom?: number; maxzoom?: number }

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
    const { type, tiles, minzoom = 0, maxzoom = 22 } = source as VectorSource
    if (type !== 'vector' || !isShown(name)) return []
    const z = Math.min(maxzoom, Math.max(minzoom, Math.floor(zoom)))
    const place = (pixels: number) =>
      Math.min(2 ** z - 1, Math.max(0, Math.floor((pixels / WORLD_PIXELS + 0.5) * 2 ** z)))
    const [x, y, half] = [eastOf(lon), southOf(lat), 0.5 / 2 ** zoom]
    const from = { x: place(x - width * half), y: place(y - height * half) }
    const to = { x: place(x + width * half), y: place(y + height * half) }
    const columns = Array.from({ length: to.x - from.x + 1 }, (_, i) => from.x + i)
    const rows = Array.from({ length: to.y - from.y + 1 }, (_, i) => from.y + i)
    return columns.flatMap((column) =>
      rows.map((row) =>
        (tiles?.[0] ?? '').replace('{z}', String(z)).replace('{x}', String(column)).replace('{y}', String(row)),
      ),
    )
  })
}

if (mapDocument.querySelector('.map-area')) {
  // MapLibre asks again for a tile that fails, and says why.
  for (const tile of firstTiles(firstCamera())) void fetch(new URL(tile, address.href)).catch(() => undefined)
}

/** Measures the tiles of the map: what SQL and gzip make of random ones, and how many a person gets in a second. */
import { gzipSync } from 'node:zlib'
import type { Database } from '../../src/core/db/connect.js'
import { encodeTile } from '../../src/app/tiles/vector-tile.js'
import { readTileLayers } from '../../src/app/tiles/layers.js'
import { signIn } from '../support/browse.js'
import { freePort } from '../support/postgres-server.js'
import { byService, contest, type Machinery } from './contest.js'
import { withTag, type Ask } from './load.js'
import { BASELINES } from './national-data.js'
import type { Corner } from './questions.js'
import { atLeast, atMost, tell, type Row } from './report.js'
import { startService } from './servers.js'

type Tile = { layer: 'units' | 'blocks' | 'frames'; z: number; x: number; y: number }
type TileBench = {
  machinery: Machinery
  db: Database
  squares: readonly Corner[]
  orgId: string
  env: Record<string, string>
}

const ATTRIBUTE = { dataset: BASELINES[0] ?? '', attribute: 'attribute_0' }

/** The tile of a zoom in which a place lies, in the numbering of web maps. */
export function tileAt(layer: Tile['layer'], z: number, { lon, lat }: Corner): Tile {
  const north = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI
  return { layer, z, x: Math.floor(((lon + 180) / 360) * 2 ** z), y: Math.floor(((1 - north) / 2) * 2 ** z) }
}

export async function tileRows(bench: TileBench): Promise<Row[]> {
  const rows = [await costRow(bench)]
  const { machinery, db, env, orgId, squares } = bench
  const port = String(await freePort())
  const web = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, BUCKET_MAP: '999999/999999' }
  const service = await startService({ ...env, ...web }, machinery.folder)
  try {
    const { cookies } = await signIn(service.url, db, { orgId, role: 'member' })
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    for (const [layer, z] of [
      ['blocks', 6],
      ['frames', 9],
      ['frames', 12],
    ] as const) {
      tell(`measuring tiles of zoom ${z}`)
      const paths = new Set(squares.map((place) => pathOf(tileAt(layer, z, place))))
      const headers = { Cookie: cookie, 'Accept-Encoding': 'gzip' }
      const cold = Array.from(paths, (path): Ask => ({ path, secret: '', headers }))
      const known = await Promise.all(cold.map((ask) => withTag(service.url, ask)))
      const [full, none] = await contest(machinery, [
        byService(machinery, 'tile', service, cold, 4),
        byService(machinery, '304', service, known, 4),
      ])
      if (!full || !none) throw new Error('The contest has no result.')
      const title = `tile of ${layer} at zoom ${z}`
      rows.push({ key: 'tiles', title, measured: full, findings: [] })
      rows.push({
        key: 'tiles',
        title: '... unchanged',
        measured: none,
        findings: z === 9 ? [atLeast(`of ${Math.round(full.rate)} of the 200`, none.rate / full.rate, 10)] : [],
      })
    }
  } finally {
    await service.stop()
  }
  return rows
}

const pathOf = ({ layer, z, x, y }: Tile) =>
  `/app/tiles/${layer}/${z}/${x}/${y}?${new URLSearchParams(ATTRIBUTE).toString()}`

/** Reads random tiles of every zoom, each three times: the quickest run counts, which other work slowed least. */
async function costRow({ db, squares }: TileBench): Promise<Row> {
  const { dataset, attribute } = ATTRIBUTE
  const colour = { dataset: { layerId: dataset, kind: 'frames' as const }, attribute }
  let [worst, largest] = [0, 0]
  for (const layer of ['units', 'blocks', 'frames'] as const)
    for (let z = layer === 'units' ? 3 : layer === 'blocks' ? 6 : 9; z <= (layer === 'blocks' ? 8 : 12); z += 1) {
      const tiles = new Map(
        squares.slice(0, 30).map((place) => [pathOf(tileAt(layer, z, place)), tileAt(layer, z, place)]),
      )
      for (const tile of tiles.values()) {
        const times: number[] = []
        const read = async () => {
          const from = performance.now()
          const layers = await readTileLayers(db, tile, colour)
          times.push(performance.now() - from)
          return layers
        }
        await read()
        await read()
        largest = Math.max(largest, gzipSync(await encodeTile(await read()), { level: 5 }).length / 1000)
        worst = Math.max(worst, Math.min(...times))
      }
    }
  return {
    key: 'tiles',
    title: 'random tiles of zooms 3 to 12',
    findings: [atMost('slowest read', worst, 60, ' ms'), atMost('largest, with gzip', largest, 200, ' kB')],
  }
}

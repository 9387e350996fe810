/** Measures the tiles of the map: what SQL and gzip make of random ones, and how many a person gets in a second. */
import { gzipSync } from 'node:zlib'
import type { Database } from '../../src/core/db/connect.js'
import { encodeTile } from '../../src/app/tiles/vector-tile.js'
import { readTileLayers } from '../../src/app/tiles/layers.js'
import { valuesOfSquare } from '../../src/app/tiles/statements.js'
import { signIn } from '../support/browse.js'
import { freePort } from '../support/postgres-server.js'
import { byService, contest, type Machinery } from './contest.js'
import { withTag, type Ask } from './load.js'
import { BASELINES } from './national-data.js'
import type { Corner } from './questions.js'
import { atLeast, atMost, tell, type Row } from './report.js'
import { startService } from './servers.js'

type Tile = { layer: 'units' | 'frames'; z: number; x: number; y: number }
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
    for (const [what, title, addressOf] of [
      ['square', 'square of frames', squareOf],
      ['tile', 'tile of units at zoom 9', (place: Corner) => pathOf(tileAt('units', 9, place))],
    ] as const) {
      tell(`measuring the ${title}`)
      const paths = new Set(squares.map(addressOf))
      const headers = { Cookie: cookie, 'Accept-Encoding': 'gzip' }
      const cold = Array.from(paths, (path): Ask => ({ path, secret: '', headers }))
      const known = await Promise.all(cold.map((ask) => withTag(service.url, ask)))
      const [full, none] = await contest(machinery, [
        byService(machinery, what, service, cold, 4),
        byService(machinery, '304', service, known, 4),
      ])
      if (!full || !none) throw new Error('The contest has no result.')
      rows.push({ key: 'tiles', title, measured: full, findings: [] })
      rows.push({
        key: 'tiles',
        title: '... unchanged',
        measured: none,
        findings: [
          atLeast(`of ${Math.round(full.rate)} of the 200`, none.rate / full.rate, what === 'square' ? 10 : 1),
        ],
      })
    }
  } finally {
    await service.stop()
  }
  return rows
}

const pathOf = ({ layer, z, x, y }: Tile) => `/app/tiles/${layer}/${z}/${x}/${y}`

const squareOf = ({ lon, lat }: Corner) =>
  `/app/values/${Math.floor(lon)}/${Math.floor(lat)}?${new URLSearchParams(ATTRIBUTE).toString()}`

/** Reads random tiles of every zoom, and squares, each three times: the quickest run counts, which other work slowed least. */
async function costRow({ db, squares }: TileBench): Promise<Row> {
  const { dataset, attribute } = ATTRIBUTE
  const tiles = (['units', 'frames'] as const).flatMap((layer) =>
    [3, 6, 9, 10, 11, 12]
      .filter((z) => layer === 'units' || z >= 9)
      .flatMap((z) => squares.slice(0, 30).map((place) => tileAt(layer, z, place))),
  )
  const reads = new Map<string, () => Promise<Uint8Array>>(
    tiles.map((tile) => [pathOf(tile), async () => await encodeTile(await readTileLayers(db, tile))]),
  )
  for (const place of squares.slice(0, 30))
    reads.set(squareOf(place), async () => {
      const rows = await valuesOfSquare(db, Math.floor(place.lon), Math.floor(place.lat), dataset, attribute)
      return Buffer.from(JSON.stringify(rows))
    })
  let [worst, largest] = [0, 0]
  for (const read of reads.values()) {
    const times: number[] = []
    let answer = new Uint8Array()
    for (let turn = 0; turn < 3; turn += 1) {
      const from = performance.now()
      answer = Uint8Array.from(await read())
      times.push(performance.now() - from)
    }
    largest = Math.max(largest, gzipSync(answer, { level: 5 }).length / 1000)
    worst = Math.max(worst, Math.min(...times))
  }
  return {
    key: 'tiles',
    title: 'random tiles of zooms 3 to 12, and squares',
    findings: [atMost('slowest read', worst, 60, ' ms'), atMost('largest, with gzip', largest, 200, ' kB')],
  }
}

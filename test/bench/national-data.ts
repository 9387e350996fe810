/** Fills a database as an operator does: builds the index, imports six baselines and points, and reports the time. */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { license } from '../../src/core/access/licences.js'
import type { Database } from '../../src/core/db/connect.js'
import { build } from '../../src/tools/load/build.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import type { Country } from './country.js'
import { atMost, holds, tell, told, type Row } from './report.js'

const COLUMNS = { lyr_a: 8, lyr_b: 2, lyr_c: 9, lyr_d: 5, lyr_e: 2, lyr_f: 2 }
export const BASELINES = Object.keys(COLUMNS)
export const POINTS = ['lyr_points']
/** Frames for each point: 200,000 points on a national index. */
const FRAMES_A_POINT = 3.75

export type Filling = { isNational: boolean }

export async function fill(db: Database, country: Country, folder: string, filling: Filling): Promise<Row[]> {
  return [await buildIndex(db, country, filling.isNational), await importAll(db, folder)]
}

async function buildIndex(db: Database, country: Country, isNational: boolean): Promise<Row> {
  const from = performance.now()
  const made = await build(db, country, (step) => tell(`${since(from).toFixed(1).padStart(7)} s  ${step}`))
  const seconds = since(from)
  const row: Row = { key: 'build', title: `build, ${made.frames} frames`, findings: [] }
  if (!isNational) return { ...row, findings: [told('seconds', seconds, ' s')] }
  row.findings.push(
    atMost('seconds', seconds, 180, ' s'),
    holds('about 750,000 frames', made.frames > 740_000 && made.frames < 760_000, String(made.frames)),
  )
  if (country.isReal) {
    row.findings.push(
      holds('37 states, 774 LGAs', made.states === 37 && made.lgas === 774, `${made.states}, ${made.lgas}`),
      holds('wards accounted for', made.wards > 8600, `${made.wards} of ${made.wardRows}`),
    )
  }
  return row
}

async function importAll(db: Database, folder: string): Promise<Row> {
  const { orgId } = await createOrganisation(db, 'bench', 'scale')
  const frames = await db.rows<{ id: string; lon: number; lat: number }>(
    'select frame_id::text as id, ST_XMin(geom) as lon, ST_YMin(geom) as lat from frame order by frame_id',
    [],
  )
  const ids = frames.map(({ id }) => id)
  const wanted = (layerId: string) => ({ layerId, orgId, name: layerId, category: 'Bench' })
  const took: { layerId: string; items: number; seconds: number }[] = []
  const timed = async (layerId: string, take: () => Promise<{ items: number }>) => {
    const from = performance.now()
    const { items } = await take()
    took.push({ layerId, items, seconds: since(from) })
    tell(`${since(from).toFixed(1).padStart(7)} s  imported ${layerId}, ${items}`)
    await license(db.run, layerId, 'everyone', undefined)
  }
  for (const [layerId, columns] of Object.entries(COLUMNS)) {
    const file = await write(join(folder, `${layerId}.csv`), rowsOf(ids, columns))
    await timed(layerId, () => importBaseline(db, file, wanted(layerId), () => {}))
  }
  const file = await write(join(folder, 'points.csv'), points(frames))
  // The second import drops the distances: the other rows measure an index without them.
  for (const hasDistances of [true, false])
    await timed('lyr_points', () => importFeatures(db, file, { ...wanted('lyr_points'), hasDistances }, () => {}))
  // Autovacuum does this in time.
  for (const table of ['frame', 'baseline_row', 'feature_frame']) await db.work(`vacuum analyze ${table}`)
  const [withDistances, without] = took.slice(-2)
  const slowest = took.slice(0, -2).toSorted((a, b) => b.seconds - a.seconds)[0]
  return {
    key: 'import',
    title: `import, ${ids.length} rows a baseline`,
    findings: [
      atMost(`slowest baseline, ${slowest?.layerId}`, slowest?.seconds ?? NaN, 60, ' s'),
      atMost(`${without?.items} points`, without?.seconds ?? NaN, 60, ' s'),
      atMost('distances of all frames to them', (withDistances?.seconds ?? NaN) - (without?.seconds ?? NaN), 60, ' s'),
    ],
  }
}

const since = (from: number) => (performance.now() - from) / 1000

async function write(file: string, lines: Iterable<string>): Promise<string> {
  const out = createWriteStream(file)
  for (const line of lines) if (!out.write(`${line}\n`)) await once(out, 'drain')
  out.end()
  await once(out, 'close')
  return file
}

function* rowsOf(ids: readonly string[], columns: number): Iterable<string> {
  yield ['frame', ...Array.from({ length: columns }, (_, i) => `attribute_${i}`)].join()
  for (const id of ids)
    yield [id, ...Array.from({ length: columns }, (_, i) => `value ${(Number(id) * (i + 3)) % 9973}`)].join()
}

function* points(frames: readonly { lon: number; lat: number }[]): Iterable<string> {
  yield 'id,lon,lat,name'
  for (let i = 0; i < frames.length / FRAMES_A_POINT; i += 1) {
    const { lon, lat } = frames[(i * 7919) % frames.length] ?? { lon: 0, lat: 0 }
    yield `${i},${(lon + ((i * 31) % 100) / 10_001).toFixed(6)},${(lat + ((i * 17) % 100) / 10_001).toFixed(6)},point ${i}`
  }
}

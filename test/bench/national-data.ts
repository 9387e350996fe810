/** Six baselines and 200,000 points on a national index: what their import takes, and what reading them costs. */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createOrganisation } from '../../src/access/organisations.js'
import { license } from '../../src/access/licences.js'
import type { Database } from '../../src/db/connect.js'
import * as statements from '../../src/db/statements.js'
import { importBaseline } from '../../src/load/import-baseline.js'
import { importFeatures } from '../../src/load/import-features.js'
import { check, milliseconds, ms } from './report.js'

const COLUMNS = { lyr_a: 8, lyr_b: 2, lyr_c: 9, lyr_d: 5, lyr_e: 2, lyr_f: 2 }
const POINTS = 200_000
const quiet = () => {}

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

function* points(boxes: readonly { lon: number; lat: number }[]): Iterable<string> {
  yield 'id,lon,lat,name'
  for (let i = 0; i < POINTS; i += 1) {
    const { lon, lat } = boxes[(i * 7919) % boxes.length] ?? { lon: 0, lat: 0 }
    yield `${i},${(lon + ((i * 31) % 100) / 10_001).toFixed(6)},${(lat + ((i * 17) % 100) / 10_001).toFixed(6)},point ${i}`
  }
}

export async function loadNationalData(db: Database, folder: string): Promise<void> {
  const { orgId } = await createOrganisation(db.writes(), 'bench', 'scale')
  const frames = await db.rows<{ id: string; lon: number; lat: number }>(
    'select frame_id::text as id, ST_XMin(geom) as lon, ST_YMin(geom) as lat from frame order by frame_id',
    [],
  )
  const ids = frames.map(({ id }) => id)
  const wanted = (layerId: string) => ({ layerId, orgId, name: layerId, category: 'Bench' })
  for (const [layerId, columns] of Object.entries(COLUMNS)) {
    const file = await write(join(folder, `${layerId}.csv`), rowsOf(ids, columns))
    const from = performance.now()
    const { items } = await importBaseline(db, file, wanted(layerId), [], quiet)
    const seconds = (performance.now() - from) / 1000
    check(
      `importing a baseline of ${columns} columns takes under a minute`,
      seconds < 60,
      `${items} rows, ${seconds.toFixed(1)} s`,
    )
    await license(db.writes(), layerId, 'everyone', undefined)
  }
  const file = await write(join(folder, 'points.csv'), points(frames))
  const from = performance.now()
  const { items } = await importFeatures(db, file, wanted('lyr_points'), quiet)
  const seconds = (performance.now() - from) / 1000
  check('importing 200,000 points takes under a minute', seconds < 60, `${items} points, ${seconds.toFixed(1)} s`)
  await license(db.writes(), 'lyr_points', 'everyone', undefined)
  // As autovacuum does in time.
  await db.work('vacuum analyze baseline_row')
  await db.work('vacuum analyze feature_frame')
}

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Actual Loops': number; Plans?: Node[] }
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

export async function readNationalData(db: Database): Promise<void> {
  const near = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame where geom && ST_MakeEnvelope(7.4, 9, 7.495, 9.095, 4326) limit 100',
    [],
  )
  const apart = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame tablesample system (0.2) limit 100',
    [],
  )
  const layers = Object.keys(COLUMNS)
  for (const [where, rows] of [
    ['side by side', near],
    ['all over the country', apart],
  ] as const) {
    const ids = rows.map(({ id }) => id)
    const baselines = await milliseconds(() => statements.recordsOfBaselines(db, ids, layers))
    check(`six baselines on 100 frames ${where} within 30 ms`, baselines < 30, ms(baselines))
    const features = await milliseconds(() => statements.recordsOfFeatures(db, ids, ['lyr_points'], 200))
    check(`points on 100 frames ${where} within 30 ms`, features < 30, ms(features))
    for (const [name, text, args, table, visits] of [
      ['records_of_baselines', statements.recordsOfBaselines.text, [ids, layers], 'baseline_row', 600],
      ['records_of_features', statements.recordsOfFeatures.text, [ids, ['lyr_points'], 200], 'feature_frame', 100],
    ] as const) {
      const [plan] = await db.rows<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`, args)
      const nodes = plan ? nodesOf(plan['QUERY PLAN'][0].Plan) : []
      const visited = nodes.filter((node) => node['Relation Name'] === table)
      const loops = visited.reduce((sum, node) => sum + node['Actual Loops'], 0)
      check(`${name} visits the index once a dataset and frame`, loops === visits, `${loops} visits`)
      const scan = nodes.find(
        (node) => node['Node Type'] === 'Seq Scan' && /^(baseline_row|feature)/.test(node['Relation Name'] ?? ''),
      )
      check(`${name} reads no table from end to end`, scan === undefined, scan?.['Relation Name'] ?? '')
    }
  }
}

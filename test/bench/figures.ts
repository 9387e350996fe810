/** Measures figures of the whole index, of a state and of an LGA, under filters, in milliseconds of one session. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { figure, profile } from '../../src/core/db/statements.js'
import type { Figure, Filter, FrameSet } from '../../src/core/figures/algebra.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { atMost, tell, type Row } from './report.js'
import { quickest } from './totals.js'

const [LAYER, POSTS] = ['lyr_figures', 'lyr_posts']
const NUMBERS = ['people', 'homes', 'height']
const FRAMES_A_POST = 20

export async function figuresRow(db: Database, folder: string): Promise<Row> {
  await importBoth(db, folder)
  const [unit] = await db.rows<{ state: string; lga: string }>(
    'select state, lga from lga order by frames desc limit 1',
    [],
  )
  const [state, lga] = [unit?.state ?? '', unit?.lga ?? '']
  const profileOf = (...names: string[]) => quickest(() => profile(db, ['unit', ...names], [LAYER]))
  const people = (place: FrameSet, where: Filter) => {
    const asked: Figure = { of: { place, subject: { of: LAYER, name: 'people' }, how: 'sum', where } }
    return quickest(() => figure(db, JSON.stringify(asked)))
  }
  const three: Filter = {
    all: [
      { of: LAYER, name: 'kind', is: ['kind 1', 'kind 2', 'kind 3'] },
      { any: [{ of: LAYER, name: 'homes', above: 900 }, { not: { of: LAYER, name: 'height', below: 700 } }] },
    ],
  }
  const near: Filter = { all: [three, { near: POSTS, metres: 5000, where: { name: 'open', is: ['yes'] } }] }
  const findings = [
    atMost('profile of an LGA', await profileOf(state, lga), 5, ' ms'),
    atMost('profile of the country', await profileOf(), 5, ' ms'),
    atMost('three tests over an LGA', await people(['unit', state, lga], three), 20, ' ms'),
    atMost('three tests over a state', await people(['unit', state], three), 80, ' ms'),
    atMost('three tests over the country', await people(['unit'], three), 1500, ' ms'),
    atMost('... and near chosen features', await people(['unit'], near), 3000, ' ms'),
  ]
  for (const table of ['baseline_row', 'feature_frame', 'feature', 'unit_total', 'attribute_spread', 'dataset'])
    await db.work(
      `delete from ${table} where version in (select version from dataset where layer_id in ('${LAYER}', '${POSTS}'))`,
    )
  return { key: 'figures', title: 'figures under filters', findings }
}

async function importBoth(db: Database, folder: string): Promise<void> {
  const [owner] = await db.rows<{ orgId: string }>('select org_id as "orgId" from organisation limit 1', [])
  const frames = await db.rows<{ id: string; lon: number; lat: number }>(
    'select frame_id::text as id, ST_XMin(geom) as lon, ST_YMin(geom) as lat from frame order by frame_id',
    [],
  )
  const named = (layerId: string) => ({ layerId, orgId: owner?.orgId ?? '', name: layerId, category: 'Bench' })
  const values = join(folder, 'figures.csv')
  const lines = frames.map(({ id }) => {
    const numbers = NUMBERS.map((_, i) => (Number(id) * (7 + i)) % (4001 - 500 * i))
    return [id, ...numbers, `kind ${Number(id) % 7}`].join()
  })
  writeFileSync(values, `${['frame', ...NUMBERS, 'kind'].join()}\n${lines.join('\n')}\n`)
  await importBaseline(db, values, named(LAYER), () => {})
  const posts = frames.filter((_, i) => i % FRAMES_A_POST === 0)
  const rows = posts.map(({ lon, lat }, i) => [i, lon + 0.003, lat + 0.004, i % 3 === 0 ? 'yes' : 'no'].join())
  const points = join(folder, 'posts.csv')
  writeFileSync(points, `id,lon,lat,open\n${rows.join('\n')}\n`)
  await importFeatures(db, points, { ...named(POSTS), hasDistances: false }, () => {})
  tell(`imported ${frames.length} rows and ${posts.length} points`)
  for (const file of [values, points]) rmSync(file)
}

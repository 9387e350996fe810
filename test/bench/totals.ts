/** Measures the totals of units: to read them, and what they add to the import of a baseline. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { profile, profileByUnit } from '../../src/core/db/statements.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { atMost, tell, told, type Row } from './report.js'

const UNITS = 50
const IMPORTS = 3
const LAYER = 'lyr_totals'
const columns = ['people', 'women', 'homes', 'households', 'pupils']
const catalogue = columns.map((name) => ({ name, label: name, type: 'number', summary: 'sum' }) as const)

export async function totalsRow(db: Database, folder: string): Promise<Row> {
  const added = await importsBesideImports(db, folder)
  const layers = (await db.rows<{ layer: string }>('select layer_id as layer from dataset', [])).map(
    ({ layer }) => layer,
  )
  const units = await db.rows<{ state: string; lga: string }>(
    'select state, lga from lga order by md5(state || lga) limit $1::int',
    [UNITS],
  )
  const ofUnits: number[] = []
  for (const { state, lga } of units) ofUnits.push(await quickest(() => profile(db, ['unit', state, lga], layers)))
  const ofLevel = await quickest(() => profileByUnit(db, ['unit'], 'lga', LAYER, 'people'))
  for (const table of ['baseline_row', 'unit_total', 'attribute_spread', 'dataset'])
    await db.work(`delete from ${table} where version = (select version from dataset where layer_id = '${LAYER}')`)
  return {
    key: 'totals',
    title: `totals of units, ${layers.length} datasets`,
    findings: [
      atMost('totals of a unit in', median(ofUnits), 5, ' ms'),
      atMost('totals of one attribute over all LGAs in', ofLevel, 10, ' ms'),
      told('import without totals', added.without, ' s'),
      atMost('import with totals, of that', added.with / added.without, 1.2, ''),
    ],
  }
}

/** Imports the same file in turn with and without totals: other work of the machine slows both. */
async function importsBesideImports(db: Database, folder: string) {
  const [owner] = await db.rows<{ orgId: string }>('select org_id as "orgId" from organisation limit 1', [])
  const frames = await db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id', [])
  const file = join(folder, 'totals.csv')
  const lines = frames.map(({ id }) => [id, ...columns.map((_, i) => (Number(id) * (7 + i)) % (4001 - 500 * i))].join())
  writeFileSync(file, `${['frame', ...columns].join()}\n${lines.join('\n')}\n`)
  const entry = { layerId: LAYER, orgId: owner?.orgId ?? '', name: 'Totals', category: 'Bench', catalogue }
  const seconds = { with: [] as number[], without: [] as number[] }
  for (let turn = 0; turn < 2 * IMPORTS; turn += 1) {
    const which = turn % 2 === 0 ? 'without' : 'with'
    const from = performance.now()
    await importBaseline(which === 'with' ? db : withoutTotals(db), file, entry, () => {})
    seconds[which].push((performance.now() - from) / 1000)
    tell(`${seconds[which].at(-1)?.toFixed(1).padStart(7)} s  imported ${LAYER} ${which} totals`)
  }
  rmSync(file)
  return { with: median(seconds.with), without: median(seconds.without) }
}

export const withoutTotals = (db: Database): Database => ({
  ...db,
  transaction: (work) =>
    db.transaction((run, runSingle) =>
      work(
        (text, args, as) => (text.startsWith('-- totals_keep') ? Promise.resolve([]) : run(text, args, as)),
        runSingle,
      ),
    ),
})

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

export async function quickest(read: () => Promise<unknown>, turns = 7): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < turns; i += 1) {
    const from = performance.now()
    await read()
    times.push(performance.now() - from)
  }
  return Math.min(...times)
}

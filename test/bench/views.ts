/** Measures the view of a wide baseline beside a typed table of the same rows. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { removeDataset } from '../../src/tools/load/remove-dataset.js'
import { atMost, tell, type Row } from './report.js'
import { withoutTotals } from './totals.js'

const FRAMES = 100_000
const NUMBERS = 50
const CATEGORIES = 10
const TURNS = 7
const LAYER = 'lyr_views'
/** The most time that a question may take, of that on the typed table. */
const MOST = 5

const range = (length: number, prefix: string) => Array.from({ length }, (_, i) => `${prefix}${i + 1}`)
const columns = [...range(NUMBERS, 'n'), ...range(CATEGORIES, 'c')]

/** TABLE stands for the view or the table; $1 is a frame. The last question asks for all columns, as ogr2ogr does. */
const QUESTIONS: Record<string, string> = {
  'the sum of six columns': 'select sum(n1), sum(n2), sum(n12), sum(n23), sum(n34), sum(n50) from TABLE',
  'six means by state':
    'select state, avg(n1), avg(n2), avg(n12), avg(n23), avg(n34), avg(n50) from TABLE group by state',
  'one frame by its id': 'select * from TABLE where frame_id = $1::bigint',
  'a join of two': 'select sum(one.n1 * other.n2) from TABLE as one join TABLE as other using (frame_id)',
  'all columns of all frames': 'select sum(length(row::text)) from TABLE as row',
}

export async function viewsRow(db: Database, folder: string): Promise<Row> {
  const [owner] = await db.rows<{ orgId: string }>('select org_id as "orgId" from organisation limit 1', [])
  const frames = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame order by frame_id limit $1::int',
    [FRAMES],
  )
  const ids = frames.map(({ id }) => id)
  const file = join(folder, 'views.csv')
  writeFileSync(
    file,
    `${['frame', ...columns].join()}\n${ids.map((id) => [id, ...cellsOf(Number(id))].join()).join('\n')}\n`,
  )
  const entry = { layerId: LAYER, orgId: owner?.orgId ?? '', name: 'Views', category: 'Bench' }
  await importBaseline(withoutTotals(db), file, entry, tell)
  rmSync(file)
  await db.work(`select value_rows_keep('${LAYER}'); select analyst_dataset('${LAYER}');
    create table bench_views as select * from analyst.${LAYER}; alter table bench_views add primary key (frame_id)`)
  for (const name of ['bench_views', 'value_row', 'baseline_row']) await db.work(`vacuum analyze ${name}`)
  const findings = []
  for (const [what, text] of Object.entries(QUESTIONS)) {
    const args = text.includes('$1') ? [ids[Math.floor(ids.length / 2)]] : []
    const { view, table } = await besideEachOther(db, text, args)
    tell(`${view.toFixed(1).padStart(9)} ms, ${table.toFixed(1)} ms on the typed table: ${what}`)
    findings.push(atMost(`${what}, of the time on a typed table`, view / table, MOST, ''))
  }
  await db.work('drop table bench_views')
  await removeDataset(db, LAYER, tell)
  return { key: 'views', title: `view of ${ids.length} frames, ${columns.length} attributes`, findings }
}

const cellsOf = (id: number) => [
  ...range(NUMBERS, '').map((n) =>
    Number(n) % 3 === 0 ? String((id * Number(n)) % 9973) : ((id * Number(n)) % 99_991) / 100,
  ),
  ...range(CATEGORIES, '').map((n) => `class ${(id * Number(n)) % 7}`),
]

/** Asks in turn, since other work of the machine slows both; the least time of each counts. */
async function besideEachOther(db: Database, text: string, args: unknown[]) {
  const least = { view: Infinity, table: Infinity }
  const names = { view: `analyst.${LAYER}`, table: 'bench_views' }
  for (let turn = 0; turn < 2 * TURNS; turn += 1) {
    const which = turn % 2 === 0 ? 'view' : 'table'
    const from = performance.now()
    await db.rows(text.replaceAll('TABLE', names[which]), args)
    least[which] = Math.min(least[which], performance.now() - from)
  }
  return least
}

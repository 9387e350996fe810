/**
 * Runs statements under "explain". They are prepared as the API prepares them, so that the plan is the one for all
 * values.
 */
import { randomBytes } from 'node:crypto'
import { type Database, sqlText } from '../../core/db/index.js'
import { execution, preparation } from './literals.js'
import type { Plan } from './plan.js'

type BoundStatement = { text: string; args: readonly unknown[] }

/** Runs in a transaction of the caller. Returns the lines that "explain" prints under these options. */
export async function runExplain<Line = string>(
  run: Database['rows'],
  { text, args }: BoundStatement,
  options: string,
): Promise<Line[]> {
  const name = `explained_${randomBytes(8).toString('hex')}`
  await run(preparation(name, text), [])
  const rows = await run<{ 'QUERY PLAN': Line }>(`explain (${options}) ${execution(name, args)}`, [])
  await run(`deallocate ${name}`, [])
  return rows.map((row) => row['QUERY PLAN'])
}

/** Runs the statement twice: on first use, a session also reads catalogues, which is not the cost of the statement. */
export async function measurePlan(run: Database['rows'], statement: BoundStatement): Promise<Plan> {
  await runExplain(run, statement, 'analyze')
  const [[plan]] = (await runExplain<[Plan]>(run, statement, 'analyze, buffers, settings, format json')) as [[Plan]]
  return plan
}

export type PlannerState = Awaited<ReturnType<typeof readPlannerState>>

/** Reads what the planner can use. Tables of a few pages need no statistics. */
export async function readPlannerState(db: Pick<Database, 'rows'>) {
  const rows = await db.rows<{ name: string; kind: 'index' | 'invalid' | 'bare' }>(sqlText('inspect/relations'), [])
  const off = await db.rows<{ name: string }>(sqlText('inspect/scans_off'), [])
  const named = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ name }) => name))
  const indexes = named('index')
  const switchedOff = off.map(({ name }) => name)
  // Without the index, looking around 200 frames reads the table as often.
  const canLook = indexes.has('frame_geom_idx') && switchedOff.length === 0
  const scattered = canLook ? await db.rows(sqlText('doctor/frames_scattered'), []) : []
  return {
    indexes,
    /** Indexes that a failed "create index concurrently" left behind: PostgreSQL writes to them and never reads them. */
    invalid: named('invalid'),
    withoutStatistics: named('bare'),
    /** Settings that are off and keep the planner from scans or joins. */
    switchedOff,
    /** True where neighbours in the country do not lie side by side in the table. */
    isScattered: scattered.length > 0,
  }
}

/** A statement run under "explain", prepared as the API prepares it, so that the plan is the one for all values. */
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import { execution, preparation } from './literals.js'
import type { Plan } from './plan.js'

type Statement = { text: string; args: readonly unknown[] }
type Run = Database['rows']

let made = 0

/** In a transaction of the caller: what "explain" with these options says, a line a row. The preparation is forgotten again. */
export async function explainInside<Line>(run: Run, { text, args }: Statement, options: string): Promise<Line[]> {
  const name = `explained_${process.pid}_${(made += 1)}`
  await run(preparation(name, text), [])
  const rows = await run<{ 'QUERY PLAN': Line }>(`explain (${options}) ${execution(name, args)}`, [])
  await run(`deallocate ${name}`, [])
  return rows.map((row) => row['QUERY PLAN'])
}

/** Run once before it is counted: what a session finds out on first use is not the statement's cost. */
export async function countedInside(run: Run, statement: Statement): Promise<Plan> {
  await explainInside(run, statement, 'analyze')
  const [[plan]] = (await explainInside(run, statement, 'analyze, buffers, settings, format json')) as [[Plan]]
  return plan
}

/** The plan to be counted, and as PostgreSQL writes it for people, of a run of its own. */
export const explained = (db: Database, statement: Statement): Promise<{ plan: Plan; text: string }> =>
  db.transaction(async (run) => {
    await run(sqlText('session/read_only'), [])
    const plan = await countedInside(run, statement)
    return { plan, text: (await explainInside<string>(run, statement, 'analyze, buffers')).join('\n') }
  })

export type Surroundings = {
  indexes: Set<string>
  /** Those that a broken "concurrently" left behind: written to, never read. */
  invalid: Set<string>
  withoutStatistics: Set<string>
  /** Settings that are off and keep the planner from scans or joins. */
  switchedOff: string[]
  /** Frames that lie side by side in the country do not in the table. */
  isScattered: boolean
}

/** What there is to stand on. Tables of a few pages need no statistics. */
export async function surroundings(db: Database): Promise<Surroundings> {
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
    invalid: named('invalid'),
    withoutStatistics: named('bare'),
    switchedOff,
    isScattered: scattered.length > 0,
  }
}

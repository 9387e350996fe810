/** A statement run under "explain", prepared as the API prepares it, so that the plan is the one for all values. */
import type { Database } from '../db/connect.js'
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
    await run('set transaction read only', [])
    const plan = await countedInside(run, statement)
    return { plan, text: (await explainInside<string>(run, statement, 'analyze, buffers')).join('\n') }
  })

export type Surroundings = { indexes: Set<string>; withoutStatistics: Set<string> }

/** What there is to stand on. Tables of a few pages need no statistics. */
export async function surroundings(db: Database): Promise<Surroundings> {
  const rows = await db.rows<{ name: string; isIndex: boolean }>(
    `select relname as name, relkind = 'i' as "isIndex" from pg_class
    where relnamespace = 'public'::regnamespace
      and (relkind = 'i' or relkind = 'r' and reltuples < 0 and pg_relation_size(oid) > 50 * 8192)`,
    [],
  )
  const named = (isIndex: boolean) => new Set(rows.filter((row) => row.isIndex === isIndex).map(({ name }) => name))
  return { indexes: named(true), withoutStatistics: named(false) }
}

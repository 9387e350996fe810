/** Runs statements in a transaction that PostgreSQL itself keeps from writing. */
import { DeadlinePassed, msLeft, type Deadline } from '../deadline.js'
import type { Database } from './database.js'
import { sqlText } from './statement.js'

/** The longest that one statement may take, and the moment after which none begins. */
export type ReadLimits = { statementMs: number; deadline: Deadline }

export const readOnly = <Answer>(
  db: Pick<Database, 'transaction'>,
  limits: ReadLimits | undefined,
  work: (run: Database['rows']) => Promise<Answer>,
): Promise<Answer> =>
  db.transaction(async (run) => {
    await run(sqlText('session/read_only'), [])
    if (limits) await run(sqlText('session/statement_limit'), [msAllowed(limits)])
    return await work(run)
  })

function msAllowed({ statementMs, deadline }: ReadLimits): number {
  const left = Math.floor(Math.min(statementMs, msLeft(deadline)))
  if (left < 1) throw new DeadlinePassed(deadline)
  return left
}

/** PostgreSQL ended the statement at its limit, or the deadline came before the statement began. */
export const isOverLimit = (error: unknown): boolean =>
  error instanceof DeadlinePassed || (error as { code?: string }).code === '57014'

/** Runs statements in a transaction that PostgreSQL itself keeps from writing. */
import { DeadlinePassed, msLeft, type Deadline } from '../deadline.js'
import type { Database } from './database.js'
import { sqlText } from './statement.js'

/** The longest that one statement may take, and the moment after which none begins. */
export type ReadLimits = { statementMs: number; deadline: Deadline }

/** A person waits for the work. */
const LOCK_MS = 5000

/** A table that the work reads stayed locked by another session. */
export class TableLocked extends Error {
  constructor(cause: unknown) {
    const waited = `Another session has had a table of this call locked for ${LOCK_MS / 1000} s.`
    super(`${waited} Nothing was changed; try again later.`, { cause })
  }
}

/** PostgreSQL's code for a lock that it did not get in time. */
export const LOCK_NOT_AVAILABLE = '55P03'

export async function readOnly<Answer>(
  db: Pick<Database, 'transaction'>,
  limits: ReadLimits | undefined,
  work: (run: Database['rows']) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await db.transaction(async (run) => {
      await run(sqlText('session/read_only'), [])
      await run(sqlText('session/lock_limit'), [LOCK_MS])
      if (limits) await run(sqlText('session/statement_limit'), [msAllowed(limits)])
      return await work(run)
    })
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) throw new TableLocked(error)
    throw error
  }
}

function msAllowed({ statementMs, deadline }: ReadLimits): number {
  const left = Math.floor(Math.min(statementMs, msLeft(deadline)))
  if (left < 1) throw new DeadlinePassed(deadline)
  return left
}

/** PostgreSQL ended the statement at its limit, or the deadline came before the statement began. */
export const isOverLimit = (error: unknown): boolean =>
  error instanceof DeadlinePassed || (error as { code?: string }).code === '57014'

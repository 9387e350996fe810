/**
 * Fault: postgres.js 3.4.9 counts the rows of an answer in a variable of the connection, and resets it when a statement
 *   is complete, but not when one fails. Steps: `select 1 / (1000 - i) from generate_series(1, 1000) as i`, which fails
 *   after 999 rows, then any statement on the same connection. Its answer begins with 999 holes.
 * Link: porsager/postgres#1119, porsager/postgres#1181.
 * Gain: no caller gets holes before its rows. forEach collects the rows without that variable, and costs nothing.
 * Delete it when postgres.js resets its counter at ErrorResponse or at ReadyForQuery.
 */
import { refuseRetries } from './refused.js'

type Result = unknown[] & { count: number | null }
type RunningQuery = PromiseLike<unknown> & {
  forEach: (keep: (row: unknown, result: unknown) => void) => PromiseLike<unknown>
}

/** Marks the error of a statement that failed after some of its rows. */
const AFTER_ROWS = Symbol('after rows')

/** Whether a statement failed after some of its rows. Its connection is not used again. */
export const failedAfterRows = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && AFTER_ROWS in error

/** Collects the rows of a statement, with the count and the command that PostgreSQL sends at the end. */
export async function collectRows(query: PromiseLike<unknown>): Promise<Result> {
  refuseRetries(query)
  let hasRows = false
  try {
    const result = (await (query as RunningQuery).forEach((row, into) => {
      hasRows = true
      ;(into as Result).push(row)
    })) as Result
    assertWhole(result)
    return result
  } catch (error) {
    if (hasRows && typeof error === 'object' && error !== null) Object.assign(error, { [AFTER_ROWS]: true })
    throw error
  }
}

/** PostgreSQL sends the number of rows at the end: another number means that this connection mixes up its answers. */
function assertWhole({ length, count }: Result): void {
  if (length === 0 || count === null || length === count) return
  // This code means a lost connection: a read is retried on another.
  throw Object.assign(new Error(`PostgreSQL sent ${count} rows, ${length} were read.`), { code: 'CONNECTION_MIXED_UP' })
}

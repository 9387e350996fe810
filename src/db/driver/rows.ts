/**
 * Fault: postgres.js 3.4.9 counts the rows of an answer in a variable of the connection, and sets it back to 0 when a statement is
 *   complete, never when one fails. Steps: `select 1 / (1000 - i) from generate_series(1, 1000) as i`, which fails after 999 rows,
 *   then any statement on the same connection. It answers 999 holes before its rows; it should answer its rows.
 * Link: porsager/postgres#1119, porsager/postgres#1181.
 * Gain: no caller gets holes before its rows. Rows are collected by forEach, which does not use that variable; it costs nothing.
 * Delete it when postgres.js sets its counter back at ErrorResponse or at ReadyForQuery.
 */

import { refuseRetries } from './refused.js'

type Result = unknown[] & { count: number | null }
type Query = PromiseLike<unknown> & { forEach: (keep: (row: unknown, result: unknown) => void) => PromiseLike<unknown> }

const afterRows = new WeakSet<object>()

/** True for the error of a statement that failed between its rows: its connection is not used again. */
export const isAfterRows = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && afterRows.has(error)

/** The rows of a statement, with the count and the command that PostgreSQL names at its end. */
export async function collected(query: PromiseLike<unknown>): Promise<Result> {
  refuseRetries(query)
  let hasRows = false
  try {
    const result = (await (query as Query).forEach((row, into) => {
      hasRows = true
      ;(into as Result).push(row)
    })) as Result
    assertWhole(result)
    return result
  } catch (error) {
    if (hasRows && typeof error === 'object' && error !== null) afterRows.add(error)
    throw error
  }
}

/** PostgreSQL says at the end how many rows it sent: another number means that answers are mixed up on this connection. */
function assertWhole({ length, count }: Result): void {
  if (length === 0 || count === null || length === count) return
  // The code makes it a lost connection: a read is asked again on another.
  throw Object.assign(new Error(`PostgreSQL sent ${count} rows, ${length} were read.`), { code: 'CONNECTION_MIXED_UP' })
}

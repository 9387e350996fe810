/**
 * Fault: postgres.js 3.4.9 counts the rows of an answer in a variable of the connection, and resets it when a statement
 *   is complete, but not when one fails. Steps: `select 1 / (1000 - i) from generate_series(1, 1000) as i`, which fails
 *   after 999 rows, then any statement on the same connection. Its answer begins with 999 holes.
 * Link: porsager/postgres#1119, porsager/postgres#1181.
 * Gain: no caller gets holes before its rows. forEach collects the rows without that variable, and costs nothing.
 * Delete it when postgres.js resets its counter at ErrorResponse or at ReadyForQuery.
 */
type RunningQuery = PromiseLike<unknown> & {
  forEach: (keep: (row: unknown) => void) => PromiseLike<{ count: number | null }>
  forEachFn: unknown
  args: unknown
}

/** Marks the error of a statement that failed after some of its rows. */
const AFTER_ROWS = Symbol('after rows')

/** Whether a statement failed after some of its rows. Its connection is not used again. */
export const failedAfterRows = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && AFTER_ROWS in error

export async function collectRows(query: PromiseLike<unknown>): Promise<unknown[]> {
  refuseRetries(query)
  const running = query as RunningQuery
  const rows: unknown[] = []
  try {
    const { count } = await running.forEach((row) => void rows.push(row))
    assertWhole(rows.length, count)
    return rows
  } catch (error) {
    if (rows.length > 0 && typeof error === 'object' && error !== null) Object.assign(error, { [AFTER_ROWS]: true })
    throw error
  } finally {
    forgetRows(running)
  }
}

/**
 * Fault: V8 puts a function that is assigned to a property straight into its old space. The constructor of a query of
 *   postgres.js 3.4.9 assigns two, so each query stays in memory until the next full collection, with its rows. Steps:
 *   put /v1/frames/at under load with --trace-gc. Each call leaves 1.5 kB in the old space.
 * Link: v8/v8 src/parsing/parser.cc, CheckAssigningFunctionLiteralToProperty(); no issue is known.
 * Gain: a call of /v1/frames/at leaves 0.5 kB, and the p99 of 32 clients is 18 ms; without it, 1.5 kB and 27 ms.
 * Delete it when the constructor of Query assigns no functions.
 */
function forgetRows(query: RunningQuery): void {
  query.forEachFn = undefined
  query.args = undefined
}

/** PostgreSQL sends the number of rows at the end: another number means that this connection mixes up its answers. */
function assertWhole(length: number, count: number | null): void {
  if (length === 0 || count === null || length === count) return
  // This code means a lost connection: a read is retried on another.
  throw Object.assign(new Error(`PostgreSQL sent ${count} rows, ${length} were read.`), { code: 'CONNECTION_MIXED_UP' })
}

/**
 * Fault: postgres.js 3.4.9 retries by itself where PostgreSQL refuses a prepared statement: the statement is gone, or a
 *   migration changed the type of its columns. It describes the statement anew and does not wait for the description,
 *   so statements sent meanwhile on that connection overtake it, and wait for ever. Steps: `deallocate all`, then
 *   several statements at once on that connection, some of which it knows. Behind PgBouncer 1.18 in transaction mode, 2
 *   of 801 answers had the rows of another statement.
 * Link: porsager/postgres src/connection.js, retry() in ReadyForQuery ignores the result of execute(); not reported.
 * Gain: no caller waits for ever, or gets the rows of another statement. The statement ends as if its connection was
 *   lost, and a read is retried on another connection.
 * Delete it when retry() of postgres.js keeps the connection to itself until the statement is described.
 */
type RetriedQuery = { cancelled: unknown; reject: (error: unknown) => void }

/**
 * Sets the property once, on the class of queries, which postgres.js does not export. A property on each query makes V8
 * treat every query as a dictionary: /at then cost the service half as much again.
 */
function refuseRetries(query: object): void {
  const ofAll = Object.getPrototypeOf(query) as object
  if (Object.hasOwn(ofAll, 'retried')) return
  Object.defineProperty(ofAll, 'retried', {
    get: () => undefined,
    set(this: RetriedQuery, { message }: Error) {
      // postgres.js skips a statement that was cancelled.
      this.cancelled = true
      this.reject(Object.assign(new Error(message), { code: 'CONNECTION_FORGOT' }))
    },
  })
}

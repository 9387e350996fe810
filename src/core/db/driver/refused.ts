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
export function refuseRetries(query: object): void {
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

/**
 * Fault: postgres.js 3.4.9 asks again by itself where PostgreSQL refuses a prepared statement (it does not exist any more, or its
 *   columns have another type since a migration). It describes the statement anew and does not wait for that: what is sent meanwhile on
 *   this connection overtakes it, and waits for ever. Steps: `deallocate all`, then several statements at once on that connection, some
 *   of them known to it. Behind PgBouncer 1.18 in transaction mode, 2 of 801 answers had the rows of another statement.
 * Link: porsager/postgres src/connection.js, retry() in ReadyForQuery does not mind what execute() returns.
 * Gain: no caller waits for nothing, or gets the rows of another. The statement ends as if its connection was lost: a read is asked again on another.
 * Delete it when retry() of postgres.js keeps the connection to itself until the statement is described.
 */

type Query = { cancelled: unknown; reject: (error: unknown) => void }

/**
 * Once for the class of queries, which postgres.js does not export: a property of each query would make V8 treat every one of them as a
 * dictionary, which cost half as much again of the service's time on /at.
 */
export function refuseRetries(query: object): void {
  const ofAll = Object.getPrototypeOf(query) as object
  if (Object.hasOwn(ofAll, 'retried')) return
  Object.defineProperty(ofAll, 'retried', {
    get: () => undefined,
    set(this: Query, { message }: Error) {
      // postgres.js passes over a statement that was cancelled.
      this.cancelled = true
      this.reject(Object.assign(new Error(message), { code: 'CONNECTION_FORGOT' }))
    },
  })
}

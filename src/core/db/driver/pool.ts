/**
 * Fault: postgres.js 3.4.9 never ends reserve() if reserve() opens the connection and `fetch_types` is false. Steps:
 *   `await postgres(url, { fetch_types: false }).reserve()`. It should give the connection.
 * Link: porsager/postgres#751, porsager/postgres#1219.
 * Gain: work that needs a connection to itself gets one. A connection that broke is not used again.
 * Delete it when reserve() ends with `fetch_types: false`.
 */
import type postgres from 'postgres'

export type Pool = ReturnType<typeof createPool>

type PooledConnection = { sql: postgres.Sql; isLost: boolean }

/** `openClient` opens a client of one connection, and calls `onclose` when the connection closes. */
export function createPool(max: number, openClient: (onclose: () => void) => postgres.Sql) {
  const all = new Set<PooledConnection>()
  const idle: PooledConnection[] = []
  const waiting: ((one: PooledConnection) => void)[] = []

  function create(): PooledConnection {
    const one = { isLost: false } as PooledConnection
    one.sql = openClient(() => (one.isLost = true))
    all.add(one)
    return one
  }

  function renewIfLost(one: PooledConnection): PooledConnection {
    if (!one.isLost) return one
    all.delete(one)
    void one.sql.end({ timeout: 1 }).catch(() => {})
    return create()
  }

  async function take(): Promise<PooledConnection> {
    const one = idle.pop()
    if (one) return renewIfLost(one)
    if (all.size < max) return create()
    return renewIfLost(await new Promise<PooledConnection>((done) => waiting.push(done)))
  }

  function giveBack(one: PooledConnection): void {
    const next = waiting.shift()
    if (next) next(one)
    else idle.push(one)
  }

  return {
    /** Lends a connection for as long as the work takes. */
    use: async <Answer>(work: (sql: postgres.Sql) => Promise<Answer>): Promise<Answer> => {
      const one = await take()
      try {
        return await work(one.sql)
      } finally {
        giveBack(one)
      }
    },
    end: async (timeout: number): Promise<void> => {
      await Promise.all([...all].map(({ sql }) => sql.end({ timeout })))
    },
  }
}

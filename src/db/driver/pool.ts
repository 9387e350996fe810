/**
 * Fault: in postgres.js 3.4.9, reserve() never ends where it opens the connection and nothing asks for the types of arrays
 *   (`fetch_types: false`). Steps: `await postgres(url, { fetch_types: false }).reserve()`. It should give the connection.
 * Link: porsager/postgres src/connection.js, ReadyForQuery returns before onopen() for an `initial` that is a reserve.
 * Gain: connections that one piece of work has to itself, without that fault; one that broke is not used again.
 * Delete it when reserve() ends with fetch_types off.
 */
import type postgres from 'postgres'

export type Pool = {
  /** Lends a connection for as long as the work takes. */
  use: <Answer>(work: (sql: postgres.Sql) => Promise<Answer>) => Promise<Answer>
  end: (timeout: number) => Promise<void>
}

type Connection = { sql: postgres.Sql; isLost: boolean }

/** `opened` gives a client of one connection, which says when it was closed. */
export function poolOf(max: number, opened: (onclose: () => void) => postgres.Sql): Pool {
  const all = new Set<Connection>()
  const idle: Connection[] = []
  const waiting: ((one: Connection) => void)[] = []

  function made(): Connection {
    const one = { isLost: false } as Connection
    one.sql = opened(() => (one.isLost = true))
    all.add(one)
    return one
  }

  function fresh(one: Connection): Connection {
    if (!one.isLost) return one
    all.delete(one)
    void one.sql.end({ timeout: 1 }).catch(() => {})
    return made()
  }

  async function taken(): Promise<Connection> {
    const one = idle.pop()
    if (one) return fresh(one)
    if (all.size < max) return made()
    return fresh(await new Promise<Connection>((done) => waiting.push(done)))
  }

  function giveBack(one: Connection): void {
    const next = waiting.shift()
    if (next) next(one)
    else idle.push(one)
  }

  return {
    use: async (work) => {
      const one = await taken()
      try {
        return await work(one.sql)
      } finally {
        giveBack(one)
      }
    },
    end: async (timeout) => {
      await Promise.all([...all].map(({ sql }) => sql.end({ timeout })))
    },
  }
}

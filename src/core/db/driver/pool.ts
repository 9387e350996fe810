/**
 * Fault: postgres.js 3.4.9 does not reserve a connection whose pipeline BEGIN fills. Steps: fill a connection with 99
 *   reads, then sql.begin(). The transaction fails with UNSAFE_TRANSACTION, and later statements run inside it.
 * Link: porsager/postgres#823, porsager/postgres#1189.
 * Gain: a transaction has its connection to itself. A statement costs 27 µs of processor time on one of six clients
 *   with the fewest statements under way, and 38 µs on one client of six connections (twelve turns of 20,000 each).
 * Delete it when BEGIN reserves its connection in postgres.js, and one client of six connections costs no more.
 */
import type postgres from 'postgres'
import { open } from './open.js'
import type { PageMemory } from './page-memory.js'
import { failedAfterRows } from './rows.js'
import type { MovingTarget } from './target.js'

/**
 * Well under the deadline of a call: a transaction keeps its connection for no longer than this while it waits for a
 * row.
 */
const LOCK_TIMEOUT_MS = 2000

type SharedConnection = { sql: postgres.Sql; underWay: number; reopen: () => void }
export type Connections = ReturnType<typeof openConnections>

type Sizes = {
  connections: number
  transactions: number
  /** Settings of every session, beside those of sql/session/settings.sql. */
  session?: Record<string, string>
}

/** Opens all connections of a process to one database. Each connects when it is first needed. */
export function openConnections(target: MovingTarget, sizes: Sizes, memory: PageMemory) {
  const several = (count: number, openNew: () => postgres.Sql) =>
    Array.from({ length: count }, () => connection(openNew))
  const { session = {} } = sizes
  const bounded = { ...session, lock_timeout: `${LOCK_TIMEOUT_MS}` }
  const statements = several(sizes.connections, () => open(target, { memory, session, isShared: true }))
  const transactions = several(sizes.transactions, () => open(target, { memory, session: bounded }))
  const background = createPool(sizes.connections, (onclose) => open(target, { memory, session, onclose }))
  return {
    statements,
    transactions,
    /** Builds, imports and the command line: work that takes its time. */
    background,
    end: async (timeout: number): Promise<void> => {
      const all = [...statements, ...transactions].map(({ sql }) => sql.end({ timeout }))
      await Promise.all([background.end(timeout), ...all])
    },
  }
}

function connection(openNew: () => postgres.Sql): SharedConnection {
  const one: SharedConnection = {
    sql: openNew(),
    underWay: 0,
    reopen: () => {
      const old = one.sql
      one.sql = openNew()
      // Statements under way on the old connection end there: each collects its own rows.
      void old.end({ timeout: 1 }).catch(() => {})
    },
  }
  return one
}

/** Asks on the connection with the fewest statements under way. */
export async function withLeastBusy<Answer>(
  connections: readonly SharedConnection[],
  ask: (sql: postgres.Sql) => Promise<Answer>,
): Promise<Answer> {
  const leastBusy = connections.reduce((one, other) => (other.underWay < one.underWay ? other : one))
  const { sql } = leastBusy
  leastBusy.underWay += 1
  try {
    return await ask(sql)
  } catch (error) {
    if (failedAfterRows(error) && leastBusy.sql === sql) leastBusy.reopen()
    throw error
  } finally {
    leastBusy.underWay -= 1
  }
}

/**
 * Fault: postgres.js 3.4.9 never ends reserve() if reserve() opens the connection and `fetch_types` is false. Steps:
 *   `await postgres(url, { fetch_types: false }).reserve()`. It should give the connection.
 * Link: porsager/postgres#751, porsager/postgres#1219.
 * Gain: work that needs a connection to itself gets one. A connection that broke is not used again.
 * Delete it when reserve() ends with `fetch_types: false`.
 */
export type Pool = ReturnType<typeof createPool>

type PooledConnection = { sql: postgres.Sql; isLost: boolean }

/** `openClient` opens a client of one connection, and calls `onclose` when the connection closes. */
function createPool(max: number, openClient: (onclose: () => void) => postgres.Sql) {
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

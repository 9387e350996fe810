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
import { createPool } from './pool.js'
import { failedAfterRows } from './rows.js'
import type { MovingTarget } from './target.js'

/**
 * Well under the deadline of a call: a transaction keeps its connection for no longer than this while it waits for a
 * row.
 */
export const LOCK_TIMEOUT_MS = 2000

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

/** All connections of a process to one database: statements, transactions and background work have their own. */
import type postgres from 'postgres'
import type { Target } from '../database.js'
import { open } from './open.js'
import { poolOf, type Pool } from './pool.js'
import { isAfterRows } from './rows.js'

/** Well under the deadline of a call: a transaction keeps its connection for no longer than this while it waits for a row. */
const LOCK_TIMEOUT_MS = 2000

type Connection = { sql: postgres.Sql; underWay: number; reopen: () => void }
export type Connections = {
  statements: Connection[]
  transactions: Connection[]
  /** Builds, imports and the command line: work that takes its time. */
  background: Pool
  end: (timeout: number) => Promise<void>
}

/**
 * Fault: with several connections, postgres.js keeps a list that grows by one entry a statement and that each statement
 *   searches, as long as the connections are not all busy at once. Steps: 240,000 statements one after another.
 * Link: porsager/postgres src/index.js, the queues of handler(): LINK
 * Gain: 65 microseconds a statement, which were 108 after 240,000.
 * Delete it when a statement of postgres.js takes as long after 240,000 others as after none.
 *
 * Fault: postgres.js does not reserve a connection whose pipeline BEGIN fills. The transaction fails with
 *   UNSAFE_TRANSACTION, and later statements on that connection run inside it.
 * Gain: a transaction has its connection to itself.
 */
export function openAll(target: Target, sizes: { connections: number; transactions: number }): Connections {
  const several = (count: number, session: Record<string, string> = {}) =>
    Array.from({ length: count }, () => connection(() => open(target, { session })))
  const statements = several(sizes.connections)
  const transactions = several(sizes.transactions, { lock_timeout: `${LOCK_TIMEOUT_MS}` })
  const background = poolOf(sizes.connections, (onclose) => open(target, { onclose }))
  return {
    statements,
    transactions,
    background,
    end: async (timeout) => {
      const all = [...statements, ...transactions].map(({ sql }) => sql.end({ timeout }))
      await Promise.all([background.end(timeout), ...all])
    },
  }
}

function connection(openNew: () => postgres.Sql): Connection {
  const one: Connection = {
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
  connections: readonly Connection[],
  ask: (sql: postgres.Sql) => Promise<Answer>,
): Promise<Answer> {
  const leastBusy = connections.reduce((one, other) => (other.underWay < one.underWay ? other : one))
  const { sql } = leastBusy
  leastBusy.underWay += 1
  try {
    return await ask(sql)
  } catch (error) {
    if (isAfterRows(error) && leastBusy.sql === sql) leastBusy.reopen()
    throw error
  } finally {
    leastBusy.underWay -= 1
  }
}

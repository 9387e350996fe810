/** All connections of a process to one database: each kind of work has its own. */
import type postgres from 'postgres'
import { open, type Target } from './driver/open.js'
import { poolOf, type Pool } from './driver/pool.js'
import { isAfterRows } from './driver/rows.js'

/** Well under the deadline of a call: a transaction that waits for a locked row keeps its connection for no longer than this. */
const LOCK_TIMEOUT_MS = 2000

type Connection = { sql: postgres.Sql; underWay: number; reopen: () => void }
export type Connections = {
  statements: Connection[]
  transactions: Connection[]
  /** For what takes its time: builds, imports, the command line. */
  background: Pool
  end: (timeout: number) => Promise<void>
}

/**
 * What calls use is a connection each, to choose from here. Of several, postgres.js keeps a list that grows by one entry a
 * question, and is searched at each, for as long as they are not all busy at once: 65 microseconds a question were 108 after
 * 240,000. Each is opened when it is first needed.
 *
 * Transactions have connections of their own: where BEGIN fills the pipeline of a connection that reads share, postgres.js
 * does not reserve it, the transaction fails with UNSAFE_TRANSACTION, and what follows on that connection runs inside it.
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

function connection(opened: () => postgres.Sql): Connection {
  const one: Connection = {
    sql: opened(),
    underWay: 0,
    reopen: () => {
      const old = one.sql
      one.sql = opened()
      // Statements that it has taken end there: each collects its own rows.
      void old.end({ timeout: 1 }).catch(() => {})
    },
  }
  return one
}

export async function onIdlest<Answer>(
  connections: readonly Connection[],
  ask: (sql: postgres.Sql) => Promise<Answer>,
): Promise<Answer> {
  const idlest = connections.reduce((one, other) => (other.underWay < one.underWay ? other : one))
  const asked = idlest.sql
  idlest.underWay += 1
  try {
    return await ask(asked)
  } catch (error) {
    if (isAfterRows(error) && idlest.sql === asked) idlest.reopen()
    throw error
  } finally {
    idlest.underWay -= 1
  }
}

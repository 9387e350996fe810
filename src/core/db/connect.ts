/** Opens a database: its connections, with a deadline and a limit for what runs on them. */
import type postgres from 'postgres'
import { CALL_MS, deadlineIn, DeadlinePassed, hasPassed, type Deadline } from '../deadline.js'
import { aloneByDatabase, aloneByFile } from './alone.js'
import { type Bounded, boundStatements, type Opened, queues, retryReads } from './bounds.js'
import { queryRunner } from './builder.js'
import { openConnections, withLeastBusy } from './driver/connections.js'
import type { ChangeBounds, Database, DatabaseEvent, MovingTarget } from './database.js'
import { pageMemory, type PageMemory } from './driver/page-memory.js'
import type { Pool } from './driver/pool.js'
import { collectRows } from './driver/rows.js'
import { CALLS_POOL } from './pool-sizes.js'
import { refuseSharedSessions } from './pooler.js'

export { isLost } from './bounds.js'
export type { Database, DatabaseEvent, MovingTarget, Target } from './database.js'

export type DatabaseOptions = {
  /** Statements share these. */
  connections: number
  /** Each transaction has one of these to itself. */
  transactions: number
  deadlineMs: number
  queueMax: number
  /** How long `rows` retries where the connection was lost; 0 where its statements may write. */
  retryMs: number
  onEvent: (event: DatabaseEvent) => void
  /** Settings of every session, beside those of sql/session/settings.sql. */
  session: Record<string, string>
}

const databaseDefaults: DatabaseOptions = {
  ...CALLS_POOL,
  deadlineMs: CALL_MS,
  queueMax: 2000,
  retryMs: 0,
  onEvent: () => {},
  session: {},
}

export function connect(target: MovingTarget, options: Partial<DatabaseOptions> = {}): Database {
  const limits = { ...databaseDefaults, ...options }
  const { deadlineMs } = limits
  const memory = pageMemory()
  const opened = openReplaceable(target, limits, memory)
  const { bounded, load } = boundStatements(limits, opened)
  const retrying = retryReads(limits, bounded)
  const background: Pool['use'] = (work) => opened.now().background.use(work)
  return {
    rows: (text, args, as, deadline = deadlineIn(deadlineMs)) =>
      retrying(() => withLeastBusy(opened.now().statements, (sql) => rowsOn(sql)(text, args, as)), deadline),
    release: memory.release,
    transaction: (work) =>
      background(async (sql) => (await sql.begin((inside) => work(rowsOn(inside), singleOn(inside)))) as never),
    work: (text) =>
      background(async (sql) => {
        await sql.unsafe(text).forEach(() => {})
      }),
    run: queryRunner((text, args) => background((sql) => collectRows(sql.unsafe(text, args as Parameters)))),
    ...changesOn(opened, bounded, deadlineMs),
    alone: (busy, work) =>
      typeof target === 'object'
        ? aloneByFile(target, busy, work)
        : refuseSharedSessions(target, connect).then(() =>
            background((sql) => aloneByDatabase({ rows: rowsOn(sql) }, busy, work)),
          ),
    reconnect: opened.reconnect,
    load,
    close: () => opened.now().end(5),
  }
}

/** A connection of postgres.js that broke in the middle of a write keeps the rest of it: new connections replace it. */
function openReplaceable(target: MovingTarget, { onEvent, ...sizes }: DatabaseOptions, memory: PageMemory): Opened {
  const serverNow = () => (typeof target === 'function' ? target() : target)
  let server = serverNow()
  let connections = openConnections(target, sizes, memory)
  const reopen = (secondsToEnd: number) => {
    onEvent('reconnected')
    const old = connections
    server = serverNow()
    connections = openConnections(target, sizes, memory)
    void old.end(secondsToEnd).catch(() => {})
  }
  return {
    now: () => {
      // An old primary must answer nothing any more: its statements fail as lost, and reads are retried.
      if (serverNow() !== server) reopen(0)
      return connections
    },
    reconnect: () => reopen(1),
  }
}

/**
 * Nothing is sent after the deadline, which cannot stop a transaction that is under way. A connection has one
 * transaction at a time, so that none waits in PostgreSQL behind the lock of another.
 */
function changesOn(opened: Opened, bounded: Bounded, deadlineMs: number): Pick<Database, 'change' | 'write'> {
  const queued = queues()
  function onConnection<Answer>(
    { deadline = deadlineIn(deadlineMs), row }: ChangeBounds = {},
    work: (sql: postgres.Sql, inTime: Step) => Promise<Answer>,
  ): Promise<Answer> {
    const inTime: Step = (step) => (hasPassed(deadline) ? Promise.reject(new DeadlinePassed(deadline)) : step())
    const begin = () =>
      withLeastBusy(opened.now().transactions, (sql) => queued(sql, () => inTime(() => work(sql, inTime))))
    return bounded(() => (row === undefined ? begin() : queued(row, begin)), deadline)
  }
  const runOn = (sql: postgres.ISql, place: string, inTime: Step) =>
    queryRunner((text, args) => inTime(() => rowsOn(sql)(`-- ${place}\n${text}`, args)))
  return {
    change: (place, work, bounds) =>
      onConnection(bounds, (sql, inTime) =>
        sql.begin(async (inside) => {
          const answer = await work(runOn(inside, place, inTime))
          return await inTime(async () => answer)
        }),
      ) as never,
    // Only the answer to COMMIT says that the change is made: PostgreSQL answers a statement without BEGIN before it
    // commits. All go to the server in one piece, and the connection is free when all have ended. Where the connection
    // is lost halfway, postgres.js sends what is left on the next. There a plain COMMIT would succeed although nothing
    // was changed; with AND CHAIN it fails outside a transaction. The transaction that it begins has nothing in it.
    write: (place, query, bounds) =>
      onConnection(bounds, async (sql, inTime) => {
        const steps = [
          collectRows(sql.unsafe('begin')),
          runOn(sql, place, inTime)(query),
          collectRows(sql.unsafe('commit and chain')),
          collectRows(sql.unsafe('rollback')),
        ]
        await Promise.allSettled(steps)
        const [, rows = []] = await Promise.all(steps)
        return rows as never
      }),
  }
}

type Step = <Answer>(step: () => Promise<Answer>) => Promise<Answer>

type Parameters = postgres.ParameterOrJSON<never>[]

const rowsOn =
  (sql: postgres.ISql): Database['rows'] =>
  async <Row>(text: string, args: readonly unknown[], as?: 'bytes') => {
    const query = sql.unsafe(text, args as Parameters, { prepare: true })
    return (await collectRows(as === 'bytes' ? query.raw() : query)) as Row[]
  }

/** The simple protocol, which postgres.js chooses where there are no parameters, takes several statements in a text. */
const singleOn =
  (sql: postgres.ISql) =>
  async (text: string): Promise<void> => {
    const options: object = { prepare: false, simple: false }
    await collectRows(sql.unsafe(text, [], options))
  }

/** Returns the same database with reads that wait until the deadline at the longest. */
export const withDeadline = (db: Pick<Database, 'rows'>, deadline: Deadline | undefined): Pick<Database, 'rows'> => ({
  rows: (text, args, as, own = deadline) => db.rows(text, args, as, own),
})

/** Opens a database: its connections, with a deadline and a limit for what runs on them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { queryRunner } from './builder.js'
import type { ChangeBounds, Database, DatabaseEvent, MovingTarget, SocketTarget } from './database.js'
import { type Connections, openConnections, type Pool, withLeastBusy } from './driver/pool.js'
import { pageMemory, type PageMemory } from './driver/page-memory.js'
import { collectRows } from './driver/rows.js'
import { takeLock } from '../file-lock.js'
import { CALLS_POOL } from './pool-sizes.js'
import { statement } from './statement.js'
import { byDeadline, CALL_MS, type Deadline, deadlineIn, DeadlinePassed, hasPassed } from '../deadline.js'

export type { Database, DatabaseEvent, MovingTarget, Target } from './database.js'

const databaseDefaults = {
  /** Statements share `connections`. Each transaction has one of the others to itself. */
  ...CALLS_POOL,
  deadlineMs: CALL_MS,
  queueMax: 2000,
  /** How long `rows` retries where the connection was lost; 0 where its statements may write. */
  retryMs: 0,
  onEvent: (_event: DatabaseEvent): void => {},
  /** Settings of every session, beside those of sql/session/settings.sql. */
  session: {} as Record<string, string>,
}
export type DatabaseOptions = typeof databaseDefaults

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
        : background((sql) => aloneByDatabase(rowsOn(sql), busy, work)),
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
  const runOn = (sql: postgres.ISql, caller: string, inTime: Step) =>
    queryRunner((text, args) => inTime(() => rowsOn(sql)(`-- ${caller}\n${text}`, args)))
  return {
    change: (caller, work, bounds) =>
      onConnection(bounds, (sql, inTime) =>
        sql.begin(async (inside) => {
          const answer = await work(runOn(inside, caller, inTime))
          return await inTime(async () => answer)
        }),
      ) as never,
    // Only the answer to COMMIT says that the change is made: PostgreSQL answers a statement without BEGIN before it
    // commits. All go to the server in one piece, and the connection is free when all have ended. Where the connection
    // is lost halfway, postgres.js sends what is left on the next. There a plain COMMIT would succeed although nothing
    // was changed; with AND CHAIN it fails outside a transaction. The transaction that it begins has nothing in it.
    write: (caller, query, bounds) =>
      onConnection(bounds, async (sql, inTime) => {
        const steps = [
          collectRows(sql.unsafe('begin')),
          runOn(sql, caller, inTime)(query),
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

/** Any number that no other program on the database is likely to lock. */
const LOADING_LOCK = '4170001'

const loadingLock = statement<[key: string], { isTaken: boolean }>('session/loading_lock')

/**
 * A pooler gives each transaction another session: the transaction of the lock lasts as long as the work. Where its
 * connection is lost, the work goes on, and the end of the transaction comes on a new connection.
 */
async function aloneByDatabase<Answer>(
  rows: Database['rows'],
  busy: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  await rows('begin', [])
  try {
    const [lock] = await loadingLock({ rows }, LOADING_LOCK)
    if (!lock?.isTaken) throw new Error(busy)
    return await work()
  } finally {
    await rows('rollback', [])
  }
}

/** All clients of an embedded database share one session, so an advisory lock cannot tell them apart. */
async function aloneByFile<Answer>({ host }: SocketTarget, busy: string, work: () => Promise<Answer>): Promise<Answer> {
  const lock = takeLock(`${host}/loading.lock`)
  if ('heldBy' in lock) throw new Error(busy)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/**
 * Bounds the statements under way, which postgres.js does not: their number is limited, and each has a deadline. New
 * connections replace those whose machine does not answer.
 */
const LOST_CODES =
  /^(CONNECT\w*|ECONN\w*|EPIPE|ENOENT|EHOST\w*|ENETDOWN|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0\w|25P01)$/

/** The database may be well: it, or the way to it, was slow. postgres.js waits five seconds for a connection. */
export const wasLate = (error: unknown): boolean =>
  error instanceof DeadlinePassed || (error as { code?: string }).code === 'CONNECT_TIMEOUT'

/**
 * PostgreSQL went away (57P0 is its own farewell), or is not back yet, or its machine cannot be reached. 25P01: the
 * COMMIT of a transaction came on another connection than its BEGIN.
 */
export function isLost(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && LOST_CODES.test(code)
}

type Bounded = <Answer>(ask: () => Promise<Answer>, deadline: Deadline) => Promise<Answer>

class DatabaseBusy extends Error {}

type PoolBounds = { deadlineMs: number; queueMax: number; onEvent: (event: DatabaseEvent) => void }
type Opened = { now: () => Connections; reconnect: () => void }

function boundStatements(
  { deadlineMs, queueMax, onEvent }: PoolBounds,
  { now, reconnect }: Opened,
): { bounded: Bounded; load: Database['load'] } {
  let underWay = 0
  let answeredAt = 0

  async function bounded<Answer>(ask: () => Promise<Answer>, deadline: Deadline): Promise<Answer> {
    if (underWay >= queueMax) {
      onEvent('busy')
      throw new DatabaseBusy(`${underWay} queries are under way, at most ${queueMax} may be.`)
    }
    if (hasPassed(deadline)) {
      onEvent('late')
      throw new DeadlinePassed(deadline)
    }
    if (underWay === 0) answeredAt = performance.now()
    underWay += 1
    const asked = now()
    const from = performance.now()
    try {
      const answer = await byDeadline(ask(), deadline)
      answeredAt = performance.now()
      return answer
    } catch (error) {
      const isLate = error instanceof DeadlinePassed
      if (isLate) onEvent('late')
      // No connection has answered since, for half a deadline: their machine may be gone.
      const isSilent = isLate && answeredAt <= from && performance.now() - answeredAt > deadlineMs / 2
      if (!isLate && !isLost(error)) answeredAt = performance.now()
      else if (now() === asked && (isSilent || isLost(error))) reconnect()
      throw error
    } finally {
      underWay -= 1
    }
  }

  return { bounded, load: () => ({ underWay, limit: queueMax }) }
}

/** The pause between two tries of a read grows: PostgreSQL restarts in about a second. */
const RETRY_PAUSE_MS = { first: 25, longest: 200 }

/** Retries lost reads: a read is harmless to repeat, and a restart of PostgreSQL ends before most callers notice it. */
function retryReads(
  { retryMs, onEvent }: Pick<PoolBounds, 'onEvent'> & { retryMs: number },
  bounded: Bounded,
): Bounded {
  return async (ask, deadline) => {
    const lastTry = Math.min(performance.now() + retryMs, deadline.at)
    for (let pause = RETRY_PAUSE_MS.first; ; pause = Math.min(2 * pause, RETRY_PAUSE_MS.longest)) {
      try {
        return await bounded(ask, deadline)
      } catch (error) {
        if (!isLost(error) || performance.now() + pause > lastTry) throw error
        onEvent('retried')
        await sleep(pause)
      }
    }
  }
}

/**
 * Work that needs the same thing waits here, in the order in which it came: transactions that lock the same row, since
 * in PostgreSQL each would wait with a connection that other calls need; and transactions on the same connection.
 */
export function queues(): <Answer>(thing: unknown, work: () => Promise<Answer>) => Promise<Answer> {
  const lastOf = new Map<unknown, Promise<void>>()
  return (thing, work) => {
    const mine = (lastOf.get(thing) ?? Promise.resolve()).then(work)
    const ended = settled(mine).finally(() => lastOf.get(thing) === ended && lastOf.delete(thing))
    lastOf.set(thing, ended)
    return mine
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}

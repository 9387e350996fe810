/** Connections to PostgreSQL, with what postgres.js leaves out: a deadline for each question and a bound on those under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { byDeadline, CALL_MS, deadlineIn, DeadlinePassed, hasPassed, type Deadline } from '../deadline.js'
import { runsBy, type RunQuery } from './build.js'
import { onIdlest, openAll, type Connections } from './connections.js'
import type { Target } from './driver/open.js'
import { giveBack } from './driver/page-memory.js'
import type { Pool } from './driver/pool.js'
import { collected } from './driver/rows.js'
import { lanes } from './lanes.js'
import { takeLock } from './lock.js'

export { OWN_NAME, type Target } from './driver/open.js'
export type SocketTarget = Exclude<Target, string>

/** Without a deadline of its call, a question has one of its own. */
export type ChangeBounds = {
  deadline?: Deadline | undefined
  /** The row that the transaction locks: of each lane one transaction is under way at once, the others wait without a connection. */
  lane?: string
}

export type Database = {
  /** Runs a statement, prepared on first use; answers with its rows, or with a list of bytes for each. */
  rows: <Row>(text: string, args: readonly unknown[], as?: 'bytes', deadline?: Deadline) => Promise<Row[]>
  /** Takes back the memory of bytes that `rows` gave and that nobody reads any more. Other memory is left alone. */
  release: (bytes: Buffer) => void
  /** Runs several statements on one connection in a transaction. */
  transaction: <Answer>(work: (run: Database['rows']) => Promise<Answer>) => Promise<Answer>
  /** A statement without parameters that may take as long as it takes. */
  work: (text: string) => Promise<void>
  /** Runs one statement that Kysely built, for as long as it takes. */
  run: RunQuery
  /**
   * Writes in a transaction that a call waits for. It waits two seconds for a row lock, and sends nothing after its deadline,
   * COMMIT included. `place`, such as "src/credits/ledger.ts: charge", goes before each statement.
   */
  change: <Answer>(place: string, work: (run: RunQuery) => Promise<Answer>, bounds?: ChangeBounds) => Promise<Answer>
  /** Does work that only one process at a time may do on this database; `busy` is the sentence for the others. */
  alone: <Answer>(busy: string, work: () => Promise<Answer>) => Promise<Answer>
  /** Opens the connections anew, leaving those that there are to end by themselves. */
  reconnect: () => void
  /** Statements and transactions under way, and how many may be. */
  load: () => { underWay: number; limit: number }
  close: () => Promise<void>
}

export type DatabaseEvent = 'busy' | 'late' | 'reconnected' | 'retried' | 'stood_in'

export type Options = {
  /** For statements, which share them. */
  connections: number
  /** For transactions, each of which has one to itself. */
  transactions: number
  deadlineMs: number
  queueMax: number
  /** For how long `rows` asks again where the connection was lost; 0 where its statements may write. */
  retryMs: number
  onEvent: (event: DatabaseEvent) => void
}

/**
 * One plan for all values: a statement is planned once, whatever it is asked.
 * JIT is off: compiling costs more than it saves on statements of milliseconds.
 */
export const SESSION_SETTINGS = "set plan_cache_mode = force_generic_plan; set jit = off; set timezone = 'UTC'"

/** Any number that no other program on the database is likely to lock. */
const LOCK_KEY = 4_170_001

const defaults: Options = {
  connections: 6,
  transactions: 4,
  deadlineMs: CALL_MS,
  queueMax: 2000,
  retryMs: 0,
  onEvent: () => {},
}
/** What one process of the service opens for its calls. */
export const CONNECTIONS = defaults.connections + defaults.transactions
/** Between two tries of a read: PostgreSQL restarts in about a second. */
const PAUSE_MS = { first: 25, longest: 200 }

const LOST = /^(CONNECT\w*|ECONN\w*|EPIPE|ENOENT|EHOST\w*|ENETDOWN|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0\w)$/

class DatabaseBusy extends Error {}

export function connect(target: Target, options: Partial<Options> = {}): Database {
  const limits = { ...defaults, ...options }
  const { deadlineMs } = limits
  const opened = reopening(target, limits)
  const { bounded, load } = boundedBy(limits, opened)
  const again = retryingReads(limits, bounded)
  const inLane = lanes()

  const change: Database['change'] = (place, work, { deadline = deadlineIn(deadlineMs), lane } = {}) => {
    const inTime = <Answer>(step: () => Promise<Answer>): Promise<Answer> =>
      hasPassed(deadline) ? Promise.reject(new DeadlinePassed(deadline)) : step()
    const transaction = () =>
      onIdlest(opened.now().transactions, (one) =>
        one.begin(async (inside) => {
          const run = runsBy((text, args) => inTime(() => rowsOf(inside, `-- ${place}\n${text}`, args)))
          const answer = await work(run)
          return await inTime(async () => answer)
        }),
      )
    const begun = () => inTime(transaction)
    return bounded(() => (lane === undefined ? begun() : inLane(lane, begun)), deadline) as never
  }

  const background: Pool['use'] = (work) => opened.now().background.use(work)
  return {
    rows: (text, args, as, deadline = deadlineIn(deadlineMs)) =>
      again(() => onIdlest(opened.now().statements, (one) => rowsOf(one, text, args, as)), deadline),
    release: giveBack,
    transaction: (work) =>
      background(
        async (one) => (await one.begin((inside) => work((text, args, as) => rowsOf(inside, text, args, as)))) as never,
      ),
    work: (text) =>
      background(async (one) => {
        await one.unsafe(text).forEach(() => {})
      }),
    run: runsBy((text, args) =>
      background((one) => collected(one.unsafe(text, args as postgres.ParameterOrJSON<never>[]))),
    ),
    change,
    alone: (busy, work) =>
      typeof target === 'string' ? aloneByDatabase(background, busy, work) : aloneByFile(target.host, busy, work),
    reconnect: opened.reconnect,
    load,
    close: () => opened.now().end(5),
  }
}

type Opened = { now: () => Connections; reconnect: () => void }

/** A connection of postgres.js that broke in the middle of a write keeps what it had not written: it is not used again. */
function reopening(target: Target, { onEvent, ...sizes }: Options): Opened {
  let connections = openAll(target, sizes)
  return {
    now: () => connections,
    reconnect: () => {
      onEvent('reconnected')
      const old = connections
      connections = openAll(target, sizes)
      void old.end(1).catch(() => {})
    },
  }
}

type Bounded = <Answer>(ask: () => Promise<Answer>, deadline: Deadline) => Promise<Answer>

/** At most so many questions at once, and none beyond its deadline; connections that lead nowhere are opened anew. */
function boundedBy(
  { deadlineMs, queueMax, onEvent }: Options,
  { now, reconnect }: Opened,
): { bounded: Bounded; load: Database['load'] } {
  let underWay = 0
  let heardAt = 0

  async function bounded<Answer>(ask: () => Promise<Answer>, deadline: Deadline): Promise<Answer> {
    if (underWay >= queueMax) {
      onEvent('busy')
      throw new DatabaseBusy(`${underWay} queries are under way, at most ${queueMax} may be.`)
    }
    if (hasPassed(deadline)) {
      onEvent('late')
      throw new DeadlinePassed(deadline)
    }
    if (underWay === 0) heardAt = performance.now()
    underWay += 1
    const asked = now()
    const from = performance.now()
    try {
      const answer = await byDeadline(ask(), deadline)
      heardAt = performance.now()
      return answer
    } catch (error) {
      const isLate = error instanceof DeadlinePassed
      if (isLate) onEvent('late')
      // Nothing at all came back meanwhile, and for long: these connections may lead to a machine that is gone.
      const isSilent = isLate && heardAt <= from && performance.now() - heardAt > deadlineMs / 2
      if (!isLate && !isLost(error)) heardAt = performance.now()
      else if (now() === asked && (isSilent || isLost(error))) reconnect()
      throw error
    } finally {
      underWay -= 1
    }
  }

  return { bounded, load: () => ({ underWay, limit: queueMax }) }
}

/** Asking again is harmless for a read, and a restart of PostgreSQL is over before most callers would notice. */
function retryingReads({ retryMs, onEvent }: Options, bounded: Bounded): Bounded {
  return async (ask, deadline) => {
    const lastTry = Math.min(performance.now() + retryMs, deadline.at)
    for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
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

async function rowsOf<Row>(sql: postgres.ISql, text: string, args: readonly unknown[], as?: 'bytes'): Promise<Row[]> {
  const query = sql.unsafe(text, args as postgres.ParameterOrJSON<never>[], { prepare: true })
  return (await collected(as === 'bytes' ? query.raw() : query)) as Row[]
}

const aloneByDatabase = <Answer>(use: Pool['use'], busy: string, work: () => Promise<Answer>): Promise<Answer> =>
  use(async (session) => {
    const [row] = await rowsOf<{ taken: boolean }>(session, `select pg_try_advisory_lock(${LOCK_KEY}) as taken`, [])
    if (!row?.taken) throw new Error(busy)
    try {
      return await work()
    } finally {
      await rowsOf(session, `select pg_advisory_unlock(${LOCK_KEY})`, [])
    }
  })

/** All who reach an embedded database share one session, which no advisory lock can tell apart. */
async function aloneByFile<Answer>(folder: string, busy: string, work: () => Promise<Answer>): Promise<Answer> {
  const lock = takeLock(`${folder}/loading.lock`)
  if ('heldBy' in lock) throw new Error(busy)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** The same reads, none of which is waited for beyond the deadline. */
export const until = (db: Pick<Database, 'rows'>, deadline: Deadline | undefined): Pick<Database, 'rows'> => ({
  rows: (text, args, as, own = deadline) => db.rows(text, args, as, own),
})

/** PostgreSQL went away, or is not back yet, or nothing leads to its machine: class 57P0 is its own farewell. */
export function isLost(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && LOST.test(code)
}

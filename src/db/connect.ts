/** Connections to PostgreSQL, with what postgres.js leaves out: a deadline for each query and a bound on those under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { takeLock } from './lock.js'
import { readingSocket } from './socket.js'
import { writesInside, writesOn, type Writes } from './writes.js'

export type Target = string | { host: string; port: number; user: string; database: string }
export type SocketTarget = Exclude<Target, string>

export type Database = {
  /** Runs a statement, prepared on first use; answers with its rows, as bytes with the list of columns of each as it was sent. */
  rows: <Row>(text: string, args: readonly unknown[], as?: 'bytes') => Promise<Row[]>
  /** Runs several statements on one connection in a transaction. */
  transaction: <Answer>(work: (run: Database['rows']) => Promise<Answer>) => Promise<Answer>
  /** A statement without parameters that may take as long as it takes. */
  work: (text: string) => Promise<void>
  /** The typed way to write. */
  writes: () => Writes
  /**
   * Writes in a transaction that a call waits for: with the deadline of a query, and a new connection when one was lost. `place`,
   * such as "src/credits/ledger.ts: charge", goes before each statement.
   */
  change: <Answer>(place: string, work: (inside: Writes) => Promise<Answer>) => Promise<Answer>
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
  noted: (event: DatabaseEvent) => void
}

export const OWN_NAME = 'frames'
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
  deadlineMs: 10_000,
  queueMax: 2000,
  retryMs: 0,
  noted: () => {},
}
/** What one process of the service opens for its calls. */
export const CONNECTIONS = defaults.connections + defaults.transactions
/** Between two tries of a read: PostgreSQL restarts in about a second. */
const PAUSE_MS = { first: 25, longest: 200 }

const LOST = /^(CONNECT\w*|ECONN\w*|EPIPE|ENOENT|EHOST\w*|ENETDOWN|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0\w)$/

class DatabaseBusy extends Error {}
class DatabaseSlow extends Error {}

export function connect(target: Target, options: Partial<Options> = {}): Database {
  const { deadlineMs, queueMax, retryMs, noted, ...sizes } = { ...defaults, ...options }
  let sql = openAll(target, sizes)
  let underWay = 0
  let answeredAt = 0

  async function bounded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (underWay >= queueMax) {
      noted('busy')
      throw new DatabaseBusy(`${underWay} queries are under way, at most ${queueMax} may be.`)
    }
    underWay += 1
    const asked = sql
    const from = performance.now()
    try {
      const answer = await withDeadline(ask(), deadlineMs)
      answeredAt = performance.now()
      return answer
    } catch (error) {
      const isLate = error instanceof DatabaseSlow
      if (isLate) noted('late')
      // Nothing at all came back meanwhile: these connections may lead to a machine that is gone.
      if (sql === asked && (isLost(error) || (isLate && answeredAt < from))) reconnect()
      throw error
    } finally {
      underWay -= 1
    }
  }

  /** Asking again is harmless for a read, and a restart of PostgreSQL is over before most callers would notice. */
  async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const until = performance.now() + retryMs
    for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
      try {
        return await bounded(ask)
      } catch (error) {
        if (!isLost(error) || performance.now() + pause > until) throw error
        noted('retried')
        await sleep(pause)
      }
    }
  }

  /** A connection of postgres.js that broke in the middle of a write keeps what it had not written: it is not used again. */
  function reconnect(): void {
    noted('reconnected')
    const old = sql
    sql = openAll(target, sizes)
    void old.end(1).catch(() => {})
  }

  return {
    rows: (text, args, as) => again(() => onIdlest(sql.statements, (one) => rowsOf(one, text, args, as))),
    transaction: async (work) =>
      (await sql.unhurried.begin((inside) => work((text, args, as) => rowsOf(inside, text, args, as)))) as never,
    work: async (text) => {
      await sql.unhurried.unsafe(text)
    },
    writes: () => writesOn(sql.unhurried),
    change: async (place, work) =>
      (await bounded(() =>
        onIdlest(sql.transactions, (one) => one.begin((inside) => work(writesInside(inside, place)))),
      )) as never,
    alone: (busy, work) =>
      typeof target === 'string' ? aloneByDatabase(sql.unhurried, busy, work) : aloneByFile(target.host, busy, work),
    reconnect,
    load: () => ({ underWay, limit: queueMax }),
    close: () => sql.end(5),
  }
}

async function rowsOf<Row>(
  sql: postgres.ISql,
  text: string,
  args: readonly unknown[],
  as: 'bytes' | undefined,
): Promise<Row[]> {
  const query = sql.unsafe(text, args as postgres.ParameterOrJSON<never>[], { prepare: true })
  return (await (as === 'bytes' ? query.raw() : query)) as unknown as Row[]
}

async function aloneByDatabase<Answer>(sql: postgres.Sql, busy: string, work: () => Promise<Answer>): Promise<Answer> {
  const session = await sql.reserve()
  try {
    const [row] = await session.unsafe(`select pg_try_advisory_lock(${LOCK_KEY}) as taken`)
    if (!row?.['taken']) throw new Error(busy)
    try {
      return await work()
    } finally {
      await session.unsafe(`select pg_advisory_unlock(${LOCK_KEY})`)
    }
  } finally {
    session.release()
  }
}

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

type Connection = { sql: postgres.Sql; underWay: number }
type Connections = {
  statements: Connection[]
  transactions: Connection[]
  /** For what takes its time: builds, imports, the command line. */
  unhurried: postgres.Sql
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
function openAll(target: Target, sizes: Pick<Options, 'connections' | 'transactions'>): Connections {
  const several = (count: number) =>
    Array.from({ length: count }, (): Connection => ({ sql: open(target, 1), underWay: 0 }))
  const statements = several(sizes.connections)
  const transactions = several(sizes.transactions)
  const unhurried = open(target, sizes.connections)
  const all = [unhurried, ...[...statements, ...transactions].map(({ sql }) => sql)]
  return {
    statements,
    transactions,
    unhurried,
    end: async (timeout) => {
      await Promise.all(all.map((sql) => sql.end({ timeout })))
    },
  }
}

async function onIdlest<Answer>(
  connections: readonly Connection[],
  ask: (sql: postgres.Sql) => Promise<Answer>,
): Promise<Answer> {
  const idlest = connections.reduce((one, other) => (other.underWay < one.underWay ? other : one))
  idlest.underWay += 1
  try {
    return await ask(idlest.sql)
  } finally {
    idlest.underWay -= 1
  }
}

function open(target: Target, max: number): postgres.Sql {
  const options = {
    max,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: OWN_NAME, plan_cache_mode: 'force_generic_plan', jit: 'off', TimeZone: 'UTC' },
  }
  const sql = typeof target === 'string' ? postgres(target, options) : postgres({ ...target, ...options })
  const {
    ssl,
    path,
    host: [host, ...others],
    port: [port = 5432],
  } = sql.options
  // TLS reads in its own way, and of several hosts postgres.js knows which is next.
  if (!ssl && host !== undefined && others.length === 0)
    Object.assign(sql.options, { socket: () => readingSocket(path ? { path } : { host, port }) })
  return sql
}

/** PostgreSQL went away, or is not back yet, or nothing leads to its machine: class 57P0 is its own farewell. */
export function isLost(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && LOST.test(code)
}

function withDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  return new Promise((done, refuse) => {
    const timer = setTimeout(() => refuse(new DatabaseSlow(`The database did not answer within ${ms} ms.`)), ms)
    answer.then(done, refuse).finally(() => clearTimeout(timer))
  })
}

/**
 * Faults of a lost connection that postgres.js leaves to nobody: it writes to a socket that is gone, on a tick where none can
 * catch it, and nothing waits for its question about the types of arrays, sent on each new connection, which ends with
 * whatever the socket met. Both are harmless but for the connection they leave behind.
 */
export function isUnheardLoss(error: unknown): boolean {
  if (isLost(error)) return true
  return (
    error instanceof TypeError &&
    /'write'/.test(error.message) &&
    /postgres[/\\].*connection\.js/.test(error.stack ?? '')
  )
}

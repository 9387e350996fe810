/** The one way to the database, as the rest of the program sees it. */
import type { Compilable } from 'kysely'
import type { Deadline } from '../deadline.js'
import type { RunQuery } from './builder.js'

export type { MovingTarget, SocketTarget, Target } from './driver/target.js'

/** Without a deadline of the call, a change has one of its own. */
export type ChangeBounds = {
  deadline?: Deadline | undefined
  /** The transaction locks this row. The others that lock it wait, without a connection, until this one has ended. */
  row?: string
}

export type Database = {
  /** Runs a statement, prepared on first use. Returns its rows; as bytes, with a list of Buffers for each row. */
  rows: <Row>(text: string, args: readonly unknown[], as?: 'bytes', deadline?: Deadline) => Promise<Row[]>
  /** Takes back the memory of bytes that `rows` gave and that nobody reads any more. Other memory is left alone. */
  release: (bytes: Buffer) => void
  /**
   * Runs several statements on one connection in a transaction. `runSingle` runs a text without parameters, which
   * PostgreSQL refuses if it holds more than one statement.
   */
  transaction: <Answer>(
    work: (run: Database['rows'], runSingle: (text: string) => Promise<void>) => Promise<Answer>,
  ) => Promise<Answer>
  /** Runs a statement without parameters, for as long as it takes. */
  work: (text: string) => Promise<void>
  /** Runs one statement that Kysely built, for as long as it takes. */
  run: RunQuery
  /**
   * Writes in a transaction that a call waits for. The transaction waits two seconds for a row lock, and sends nothing
   * after its deadline, COMMIT included. `caller`, such as "src/core/credits/ledger.ts: charge", goes before each
   * statement.
   */
  change: <Answer>(caller: string, work: (run: RunQuery) => Promise<Answer>, bounds?: ChangeBounds) => Promise<Answer>
  /**
   * Does `change` with one statement that is known beforehand: one round trip. The statement is safe to repeat, since it
   * may run although this fails.
   */
  write: <Row>(caller: string, query: Compilable<Row>, bounds?: ChangeBounds) => Promise<Row[]>
  /** Does work that only one process at a time may do on this database. The others throw `busy`. */
  alone: <Answer>(busy: string, work: () => Promise<Answer>) => Promise<Answer>
  /** Opens new connections, and leaves the old ones to end by themselves. */
  reconnect: () => void
  /** Counts the statements and transactions under way, and says how many there may be. */
  load: () => { underWay: number; limit: number }
  close: () => Promise<void>
}

export type DatabaseEvent = 'busy' | 'late' | 'reconnected' | 'retried' | 'stood_in'

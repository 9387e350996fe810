/** Adds the counts of calls to the tables, each once, also where the connection is lost meanwhile. */
import { sql } from 'kysely'
import { builder, onlyRow } from '../db/builder.js'
import type { Database } from '../db/connect.js'

/** `day` counts from 1 January 1970, UTC, and `at` is the instant of the last call in milliseconds. */
export type UseRow = {
  keyId: string
  day: number
  call: string
  outcome: string
  bucket: string
  calls: number
  at: number
  lastRequestId: string | null
}

export type KeyUseEvent =
  | { kind: 'written'; calls: number }
  /** The counts wait for the next try. */
  | { kind: 'failed'; reason: string }
  /** These calls are in no table and never will be. */
  | { kind: 'dropped'; calls: number }

export type KeyUseWriter = {
  add: (rows: readonly UseRow[]) => void
  /** Adds all rows to the tables. Those that could not be added wait for the next time. */
  write: () => Promise<void>
  waitingRows: () => number
  waitingCalls: () => number
}

/** Rows that one transaction adds. `attempt` is the last transaction that tried it. */
type Part = { rows: readonly UseRow[]; attempt: { transaction?: string } }

/** One transaction of this size takes some 40 ms. */
const ROWS_AT_ONCE = 2000

export function keyUseWriter(
  db: Pick<Database, 'change' | 'run'>,
  onEvent: (event: KeyUseEvent) => void,
): KeyUseWriter {
  const parts: Part[] = []
  return {
    add: (rows) => {
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        parts.push({ rows: rows.slice(from, from + ROWS_AT_ONCE), attempt: {} })
      }
    },
    write: async () => {
      for (let part = parts[0]; part; part = parts[0]) {
        try {
          await writePart(db, part)
        } catch (error) {
          return onEvent({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
        }
        parts.shift()
        onEvent({ kind: 'written', calls: callsOf(part) })
      }
    },
    waitingRows: () => parts.reduce((sum, { rows }) => sum + rows.length, 0),
    waitingCalls: () => parts.reduce((sum, part) => sum + callsOf(part), 0),
  }
}

const callsOf = ({ rows }: Part): number => rows.reduce((sum, { calls }) => sum + calls, 0)

/**
 * Adds the rows once. A connection may be lost during COMMIT: PostgreSQL then says how that transaction ended before
 * the rows are added again.
 */
async function writePart(db: Pick<Database, 'change' | 'run'>, part: Part): Promise<void> {
  const { transaction } = part.attempt
  if (transaction !== undefined) {
    const status = await statusOf(db, transaction)
    if (status === 'committed') return
    if (status === 'in progress') throw new Error('The last write of these counts has not ended yet.')
  }
  // A transaction that was given up late writes to an attempt that nobody reads any more.
  const attempt: Part['attempt'] = (part.attempt = {})
  await db.change('src/access/key-use-writer.ts: write', async (run) => {
    const { id } = onlyRow(await run(builder.selectNoFrom(sql<string>`pg_current_xact_id()::text`.as('id'))))
    attempt.transaction = id
    await run(addCalls(part.rows))
    await run(addSeen(part.rows))
  })
}

/** A server that was restored from a backup does not know the transaction: there it never committed. */
async function statusOf(db: Pick<Database, 'run'>, transaction: string): Promise<string | null> {
  const status = sql<string | null>`pg_xact_status(${transaction}::text::xid8)`.as('status')
  try {
    return onlyRow(await db.run(builder.selectNoFrom(status))).status
  } catch (error) {
    if ((error as { code?: string }).code === '22023') return 'aborted'
    throw error
  }
}

/**
 * Both statements lock their rows in the order of the primary key, so that no two processes deadlock. They leave out
 * keys that were deleted meanwhile.
 */
const addCalls = (rows: readonly UseRow[]) =>
  builder
    .insertInto('key_use')
    .columns(['key_id', 'day', 'call', 'outcome', 'bucket', 'calls', 'last_request_id'])
    .expression(
      sql`
        select key_id, date '1970-01-01' + day as day, call, outcome, bucket, calls, request_id
        from unnest(
          ${rows.map(({ keyId }) => keyId)}::text[], ${rows.map(({ day }) => day)}::int[],
          ${rows.map(({ call }) => call)}::text[], ${rows.map(({ outcome }) => outcome)}::text[],
          ${rows.map(({ bucket }) => bucket)}::text[], ${rows.map(({ calls }) => calls)}::int[],
          ${rows.map(({ lastRequestId }) => lastRequestId)}::text[]
        ) as counted (key_id, day, call, outcome, bucket, calls, request_id)
        join api_key using (key_id)
        order by key_id, day, call, outcome, bucket`,
    )
    .onConflict((conflict) =>
      conflict.constraint('key_use_pkey').doUpdateSet({
        calls: sql`key_use.calls + excluded.calls`,
        last_request_id: sql`coalesce(excluded.last_request_id, key_use.last_request_id)`,
      }),
    )

const addSeen = (rows: readonly UseRow[]) =>
  builder
    .insertInto('key_seen')
    .columns(['key_id', 'seen_at'])
    .expression(
      sql`
        select key_id, to_timestamp(max(at) / 1000) as seen_at
        from unnest(${rows.map(({ keyId }) => keyId)}::text[], ${rows.map(({ at }) => at)}::float8[])
          as counted (key_id, at)
        join api_key using (key_id)
        group by key_id
        order by key_id`,
    )
    .onConflict((conflict) =>
      conflict.constraint('key_seen_pkey').doUpdateSet({ seen_at: sql`greatest(excluded.seen_at, key_seen.seen_at)` }),
    )

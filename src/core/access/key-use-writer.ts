/** Adds the counts of calls to the tables. */
import { sql } from 'kysely'
import { builder } from '../db/builder.js'
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

/** Rows that one statement adds. `isCounted` says that only their instants are not written yet. */
type UsePart = { rows: readonly UseRow[]; isCounted: boolean }

/** A statement of this size takes some 40 ms. */
const USES_OF_WRITE = 2000

export function keyUseWriter(db: Pick<Database, 'run'>, onEvent: (event: KeyUseEvent) => void): KeyUseWriter {
  const parts: UsePart[] = []
  return {
    add: (rows) => {
      for (let from = 0; from < rows.length; from += USES_OF_WRITE) {
        parts.push({ rows: rows.slice(from, from + USES_OF_WRITE), isCounted: false })
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

const callsOf = ({ rows }: UsePart): number => rows.reduce((sum, { calls }) => sum + calls, 0)

/**
 * PostgreSQL aborts what runs when it restarts or fails, so that a retry counts once. Where only the answer was lost, a
 * retry counts twice: the calls of fifteen seconds at most.
 * So no transaction joins the two statements: a count for people to look at need not be exact.
 */
async function writePart({ run }: Pick<Database, 'run'>, part: UsePart): Promise<void> {
  if (!part.isCounted) await run(addCalls(part.rows))
  part.isCounted = true
  await run(addSeen(part.rows))
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

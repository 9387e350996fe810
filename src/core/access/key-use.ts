/** Counts the calls of each key by day, call and outcome: in memory first, and in the tables every few seconds. */
import { sql } from 'kysely'
import { builder } from '../db/builder.js'
import type { Database } from '../db/connect.js'
import { type CountingOptions, periodicWrites, type WrittenCounts } from '../periodic-writes.js'

/** `call` is the pattern of a route. */
export type CountedCall = {
  keyId: string
  call: string
  /** ok, worded, not_modified, hung_up, or the code of the error. */
  outcome: string
  /** The bucket that refused the call; blank for every other outcome. */
  bucket: string
  requestId: string
}

export type KeyUse = WrittenCounts & { count: (call: CountedCall) => void }
type KeyUseOptions = CountingOptions & { onEvent: (event: KeyUseEvent) => void }

/** A row takes about 250 bytes. 10,000 busy keys make 20,000 rows in fifteen seconds. */
const WAITING_USES_MAX = 50_000
const DAY_MS = 24 * 3600 * 1000

export function openKeyUse(
  db: Pick<Database, 'run'>,
  { onEvent, everyMs, rowsMax = WAITING_USES_MAX, now = Date.now }: KeyUseOptions,
): KeyUse {
  let counts = new Map<string, UseToWrite[]>()
  let rows = 0
  /** Rows that could not be added wait here for the next time. */
  const parts: UsePart[] = []
  const waiting = () => parts.reduce((sum, part) => sum + part.rows.length, rows)

  async function writeAll(): Promise<void> {
    const counted = [...counts.values()].flat()
    for (let from = 0; from < counted.length; from += USES_OF_WRITE)
      parts.push({ rows: counted.slice(from, from + USES_OF_WRITE), isCounted: false })
    counts = new Map()
    rows = 0
    for (let part = parts[0]; part; part = parts[0]) {
      try {
        await writePart(db, part)
      } catch (error) {
        return onEvent({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      }
      parts.shift()
      onEvent({ kind: 'written', calls: callsOf([part]) })
    }
  }

  const { write, writeLater, isClosed, close } = periodicWrites({ writeAll, waiting, everyMs })
  return {
    count: (call) => {
      const at = now()
      if (!isClosed() && countAgain(counts.get(call.keyId), call, at)) return
      if (isClosed() || waiting() >= rowsMax) return onEvent({ kind: 'dropped', calls: 1 })
      counts.set(call.keyId, [...(counts.get(call.keyId) ?? []), newRow(call, at)])
      rows += 1
      writeLater()
    },
    write,
    waiting,
    close: async (ms) => {
      await close(ms)
      const calls = callsOf(parts)
      if (calls > 0) onEvent({ kind: 'dropped', calls })
    },
  }
}

const dayNumber = (at: number): number => Math.floor(at / DAY_MS)

/** People look up the call behind a refusal. The others would only make the rows larger. */
const keptIdOf = ({ outcome, requestId }: CountedCall): string | null =>
  outcome === 'ok' || outcome === 'worded' || outcome === 'not_modified' ? null : requestId

const newRow = (counted: CountedCall, at: number): UseToWrite => {
  const { requestId: _requestId, ...call } = counted
  return { ...call, day: dayNumber(at), calls: 1, at, lastRequestId: keptIdOf(counted) }
}

/** A key has a handful of rows: a search among them is faster than a text made of all that a row is about. */
function countAgain(rows: UseToWrite[] | undefined, call: CountedCall, at: number): boolean {
  const day = dayNumber(at)
  const row = rows?.find(
    (each) =>
      each.call === call.call && each.outcome === call.outcome && each.bucket === call.bucket && each.day === day,
  )
  if (!row) return false
  row.calls += 1
  row.at = at
  row.lastRequestId = keptIdOf(call)
  return true
}

/** `day` counts from 1 January 1970, UTC, and `at` is the instant of the last call in milliseconds. */
type UseToWrite = Omit<CountedCall, 'requestId'> & {
  day: number
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

/** Rows that one statement adds. `isCounted` says that only their instants are not written yet. */
type UsePart = { rows: readonly UseToWrite[]; isCounted: boolean }

/** A statement of this size takes some 40 ms. */
const USES_OF_WRITE = 2000

const callsOf = (parts: readonly UsePart[]): number =>
  parts.flatMap(({ rows }) => rows).reduce((sum, { calls }) => sum + calls, 0)

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
const addCalls = (rows: readonly UseToWrite[]) =>
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

const addSeen = (rows: readonly UseToWrite[]) =>
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

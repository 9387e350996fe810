/** Counts the calls of each key by day, call and outcome: in memory first, and in the tables every few seconds. */
import { sql } from 'kysely'
import { builder, type Database } from '../db/index.js'
import { type CountingOptions, type Counts, openCounts } from '../counts.js'

/** `call` is the pattern of a route. */
type CountedCall = {
  keyId: string
  call: string
  /** ok, worded, not_modified, hung_up, or the code of the error. */
  outcome: string
  /** The bucket that refused the call; blank for every other outcome. */
  bucket: string
  requestId: string
}

export type KeyUse = Counts & { count: (call: CountedCall) => void }

/** A row takes about 250 bytes. 10,000 busy keys make 20,000 rows in fifteen seconds. */
const WAITING_USES_MAX = 50_000
/** A statement of this size takes some 40 ms. */
const USES_OF_WRITE = 2000
const DAY_MS = 24 * 3600 * 1000
/** People look up the call behind a refusal. Ids of other calls would only make the rows larger. */
const ANSWERED = ['ok', 'worded', 'not_modified']

/** `day` counts from 1 January 1970, UTC, and `at` is the instant of the last call in milliseconds. */
type UseToWrite = Omit<CountedCall, 'requestId'> & {
  day: number
  times: number
  at: number
  lastRequestId: string | null
}

export function openKeyUse({ run }: Pick<Database, 'run'>, { now = Date.now, ...options }: CountingOptions): KeyUse {
  const counts = openCounts<UseToWrite>({
    rowsMax: WAITING_USES_MAX,
    rowsOfWrite: USES_OF_WRITE,
    groupOf: ({ keyId }) => keyId,
    isSame: (one, other) =>
      one.call === other.call && one.outcome === other.outcome && one.bucket === other.bucket && one.day === other.day,
    renew: (row, { at, lastRequestId }) => {
      if (at < row.at) return
      row.at = at
      row.lastRequestId = lastRequestId
    },
    // No transaction joins the two. The first changes nothing when it runs again after the second failed.
    add: async (rows) => {
      await run(addSeen(rows))
      await run(addCalls(rows))
    },
    ...options,
  })
  return {
    ...counts,
    count: ({ keyId, call, outcome, bucket, requestId }) => {
      const at = now()
      const lastRequestId = ANSWERED.includes(outcome) ? null : requestId
      counts.count({ keyId, call, outcome, bucket, day: Math.floor(at / DAY_MS), times: 1, at, lastRequestId })
    },
  }
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
          ${rows.map(({ bucket }) => bucket)}::text[], ${rows.map(({ times }) => times)}::int[],
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

-- use_by_outcome: calls of some keys in a period, by call, outcome and the bucket that refused them.
--   $1 keys   text[]  their ids
--   $2 first  date    UTC
--   $3 last   date
-- index: key_use_pkey
-- budget: buffers <= 2000 + 4 * keys + 10 * rows, rows read <= 200000
-- example: '{key_000000000000}', '2026-11-01', '2026-11-30'
-- The example finds no row, since ids are random.
-- A row keeps the request id of its last refusal, without the instant: the latest day has the last one.
-- null: lastRequestId
select
  key_use.call as call,
  key_use.outcome as outcome,
  key_use.bucket as bucket,
  sum(key_use.calls)::float8 as calls,
  (array_agg(key_use.last_request_id order by key_use.day desc))[1] as "lastRequestId"
from key_use
where key_use.key_id = any ($1::text[]) and key_use.day between $2::date and $3::date
group by key_use.call, key_use.outcome, key_use.bucket
order by key_use.call, key_use.outcome, key_use.bucket

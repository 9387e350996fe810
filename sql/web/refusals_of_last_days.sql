-- refusals_of_last_days: the calls of some keys that were not answered in the last days, by key, error and bucket, the most frequent first.
--   $1 keys  text[]  their ids
--   $2 days  int
-- index: key_use_pkey
-- budget: buffers <= 12 + 4 * keys + 20 * rows, rows read <= 200 * rows
-- example: '{key_000000000000}', 14
-- The example finds no row, since ids are random.
-- null: lastRequestId
select
  key_use.key_id as "keyId",
  key_use.outcome as outcome,
  key_use.bucket as bucket,
  sum(key_use.calls)::float8 as calls,
  (array_agg(key_use.last_request_id order by key_use.day desc))[1] as "lastRequestId"
from key_use
where key_use.key_id = any ($1::text[])
  and key_use.day > (statement_timestamp() at time zone 'UTC')::date - $2::int
  and key_use.outcome not in ('ok', 'worded', 'not_modified')
group by key_use.key_id, key_use.outcome, key_use.bucket
order by calls desc, key_use.key_id, key_use.outcome, key_use.bucket

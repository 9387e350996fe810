-- use_of_day: each count of some keys on one day, for a file to download.
--   $1 keys  text[]  their ids
--   $2 day   date    UTC
-- index: key_use_pkey, api_key_pkey
-- budget: buffers <= 12 + 4 * keys + 10 * rows, rows read <= 3 * rows
-- example: '{key_000000000000}', '2026-11-22'
-- The example finds no row, since ids are random.
-- null: lastRequestId
-- csv: day, keyId, keyName, call, outcome, bucket, calls, lastRequestId
select
  to_char(key_use.day, 'YYYY-MM-DD') as day,
  key_use.key_id as "keyId",
  api_key.name as "keyName",
  key_use.call as call,
  key_use.outcome as outcome,
  key_use.bucket as bucket,
  key_use.calls::float8 as calls,
  key_use.last_request_id as "lastRequestId"
from key_use
join api_key using (key_id)
where key_use.key_id = any ($1::text[]) and key_use.day = $2::date
order by api_key.name, key_use.key_id, key_use.call, key_use.outcome, key_use.bucket

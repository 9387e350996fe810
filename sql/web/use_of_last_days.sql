-- use_of_last_days: the calls of some keys on each of the last days, today included; no row for a day without a call.
--   $1 keys  text[]  their ids
--   $2 days  int
-- index: key_use_pkey
-- budget: buffers <= 12 + 20 * rows, rows read <= 200 * rows
-- example: '{key_000000000000}', 14
-- The example finds no row, since ids are random.
select
  key_use.key_id as "keyId",
  ($2::int - 1 - ((statement_timestamp() at time zone 'UTC')::date - key_use.day))::int as place,
  sum(key_use.calls)::float8 as calls,
  coalesce(sum(key_use.calls) filter (where key_use.outcome not in ('ok', 'worded', 'not_modified')), 0)::float8 as unanswered
from key_use
where key_use.key_id = any ($1::text[]) and key_use.day > (statement_timestamp() at time zone 'UTC')::date - $2::int
group by key_use.key_id, key_use.day
having key_use.day <= (statement_timestamp() at time zone 'UTC')::date
order by key_use.key_id, key_use.day

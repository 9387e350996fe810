-- use_of_request: the counts of an organisation's keys that a call with this request id was the last of.
--   $1 org_id      text
--   $2 request_id  text
--   $3 days        int   days back
-- index: api_key_org_id_idx, key_use_pkey
-- budget: buffers <= 4000, rows read <= 200000
-- example: 'org_000000000000', '00000000-0000-4000-8000-000000000000', 90
-- The example finds no row, since ids are random.
-- A request id has no index: it would make each write of a count slower, and nobody looks for one often.
select
  to_char(used.day, 'YYYY-MM-DD') as day,
  api_key.key_id as "keyId",
  api_key.name as "keyName",
  api_key.last_four as "lastFour",
  used.call as call,
  used.outcome as outcome,
  used.bucket as bucket,
  used.calls::float8 as calls
from api_key
cross join lateral (
  -- "offset 0" keeps the planner from reading the counts of all organisations
  select key_use.* from key_use
  where key_use.key_id = api_key.key_id and key_use.day > (statement_timestamp() at time zone 'UTC')::date - $3::int
  offset 0
) as used
where api_key.org_id = $1::text and used.last_request_id = $2::text
order by used.day desc, api_key.key_id, used.call, used.outcome, used.bucket

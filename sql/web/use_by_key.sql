-- use_by_key: the keys of an organisation with their calls in a period, the busiest first.
--   $1 org_id  text
--   $2 first   date  UTC
--   $3 last    date
-- index: api_key_org_id_idx, key_use_pkey, key_seen_pkey
-- budget: buffers <= 12 + 40 * rows, rows read <= 2000 * rows
-- example: 'org_000000000000', '2026-11-01', '2026-11-30'
-- The example finds no row, since ids are random.
-- null: seenAt
-- columns: name "Key", calls "Calls" number, unanswered "Not answered" number, seenAt "Last call" short
select
  api_key.key_id as "keyId",
  api_key.name as name,
  api_key.last_four as "lastFour",
  used.calls::float8 as calls,
  used.unanswered::float8 as unanswered,
  key_seen.seen_at as "seenAt"
from api_key
left join key_seen using (key_id)
cross join lateral (
  -- zeros for a key without a call
  select
    coalesce(sum(key_use.calls), 0) as calls,
    coalesce(sum(key_use.calls) filter (where key_use.outcome not in ('ok', 'worded', 'not_modified')), 0) as unanswered
  from key_use
  where key_use.key_id = api_key.key_id and key_use.day between $2::date and $3::date
) as used
where api_key.org_id = $1::text
order by used.calls desc, api_key.name, api_key.key_id

-- use_by_day: calls of some keys on each day of a period, by how they ended.
--   $1 keys   text[]  their ids
--   $2 first  date    UTC
--   $3 last   date
-- index: key_use_pkey
-- budget: buffers <= 2000 + 4 * keys + 10 * rows, rows read <= 200000
-- example: '{key_000000000000}', '2026-11-01', '2026-11-30'
-- columns: day "Day", calls "Calls" number, answered "Answered" number, refused "Refused" number
-- columns: failed "Failed" number, hungUp "Client hung up" number
with period as (  -- every day, also those without a call
  select generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day')::date as day
), counted as (  -- one row per day with calls
  select
    key_use.day,
    sum(key_use.calls) filter (where key_use.outcome in ('ok', 'worded', 'not_modified')) as answered,
    sum(key_use.calls) filter (where key_use.outcome = 'internal') as failed,
    sum(key_use.calls) filter (where key_use.outcome = 'hung_up') as hung_up,
    sum(key_use.calls) as calls
  from key_use
  where key_use.key_id = any ($1::text[]) and key_use.day between $2::date and $3::date
  group by key_use.day
), filled as (  -- zeros in place of nulls
  select
    period.day,
    coalesce(counted.calls, 0) as calls,
    coalesce(counted.answered, 0) as answered,
    coalesce(counted.failed, 0) as failed,
    coalesce(counted.hung_up, 0) as hung_up
  from period
  left join counted using (day)
)
select
  to_char(filled.day, 'YYYY-MM-DD') as day,
  filled.calls::float8 as calls,
  filled.answered::float8 as answered,
  (filled.calls - filled.answered - filled.failed - filled.hung_up)::float8 as refused,
  filled.failed::float8 as failed,
  filled.hung_up::float8 as "hungUp"
from filled
order by filled.day

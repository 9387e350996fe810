-- credits_by_day: credits that an organisation spent and received on each day of a period.
--   $1 org_id  text
--   $2 first   date  UTC
--   $3 last    date
-- index: credit_entry_org_id_entered_at_idx
-- budget: buffers <= 4000 + 10 * rows, rows read <= 200000
-- example: 'org_000000000000', '2026-11-01', '2026-11-30'
-- columns: day "Day", datasets "Datasets" number, worded "Worded answers" number, refunds "Given back" number
-- columns: topUps "Topped up" number
with period as (  -- every day, also those without an entry
  select generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day')::date as day
), entered as (  -- one row per day with entries
  select
    (credit_entry.entered_at at time zone 'UTC')::date as day,
    -sum(credit_entry.credits) filter (where credit_entry.kind = 'dataset') as datasets,
    -sum(credit_entry.credits) filter (where credit_entry.kind = 'worded') as worded,
    sum(credit_entry.credits) filter (where credit_entry.kind = 'refund') as refunds,
    sum(credit_entry.credits) filter (where credit_entry.kind = 'top_up') as top_ups
  from credit_entry
  where credit_entry.org_id = $1::text
    and credit_entry.entered_at >= $2::date::timestamp at time zone 'UTC'
    and credit_entry.entered_at < ($3::date + 1)::timestamp at time zone 'UTC'
  group by 1
)
select
  to_char(period.day, 'YYYY-MM-DD') as day,
  coalesce(entered.datasets, 0)::float8 as datasets,
  coalesce(entered.worded, 0)::float8 as worded,
  coalesce(entered.refunds, 0)::float8 as refunds,
  coalesce(entered.top_ups, 0)::float8 as "topUps"
from period
left join entered using (day)
order by period.day

-- credits_by_dataset: credits that an organisation spent in a period, by dataset; one row for worded answers.
--   $1 org_id  text
--   $2 first   date  UTC
--   $3 last    date
-- index: credit_entry_org_id_entered_at_idx
-- budget: buffers <= 4000 + 10 * rows, rows read <= 200000
-- example: 'org_000000000000', '2026-11-01', '2026-11-30'
-- The example finds no row, since ids are random.
-- null: layerId, name
-- columns: name "Dataset", charges "Charges" number, credits "Credits" number, refunds "Given back" number
with spent as (  -- one row per dataset; its id is blank for worded answers
  select
    credit_entry.ref,
    count(*) filter (where credit_entry.kind <> 'refund') as charges,
    -sum(credit_entry.credits) filter (where credit_entry.kind <> 'refund') as credits,
    sum(credit_entry.credits) filter (where credit_entry.kind = 'refund') as refunds
  from credit_entry
  where credit_entry.org_id = $1::text
    and credit_entry.entered_at >= $2::date::timestamp at time zone 'UTC'
    and credit_entry.entered_at < ($3::date + 1)::timestamp at time zone 'UTC'
    and credit_entry.kind <> 'top_up'
  group by credit_entry.ref
)
select
  nullif(spent.ref, '') as "layerId",
  dataset.name as name,
  spent.charges::float8 as charges,
  coalesce(spent.credits, 0)::float8 as credits,
  coalesce(spent.refunds, 0)::float8 as refunds
from spent
left join dataset on dataset.layer_id = spent.ref
order by coalesce(spent.credits, 0) desc, spent.ref

-- credits_by_key: credits that an organisation spent in a period, by the key that called or the person who asked.
--   $1 org_id  text
--   $2 first   date  UTC
--   $3 last    date
-- index: credit_entry_org_id_entered_at_idx, api_key_pkey, person_pkey
-- budget: buffers <= 4000 + 10 * rows, rows read <= 200000
-- example: 'org_000000000000', '2026-11-01', '2026-11-30'
-- The example finds no row, since ids are random.
-- null: keyId, name, lastFour
-- columns: name "Key or person", charges "Charges" number, credits "Credits" number, refunds "Given back" number
with spent as (  -- one row per key
  select
    credit_entry.key_id,
    count(*) filter (where credit_entry.kind <> 'refund') as charges,
    -sum(credit_entry.credits) filter (where credit_entry.kind <> 'refund') as credits,
    sum(credit_entry.credits) filter (where credit_entry.kind = 'refund') as refunds
  from credit_entry
  where credit_entry.org_id = $1::text
    and credit_entry.entered_at >= $2::date::timestamp at time zone 'UTC'
    and credit_entry.entered_at < ($3::date + 1)::timestamp at time zone 'UTC'
    and credit_entry.kind <> 'top_up'
  group by credit_entry.key_id
)
select
  spent.key_id as "keyId",
  coalesce(api_key.name, (select person.name from person where person.person_id = spent.key_id)) as name,
  api_key.last_four as "lastFour",
  spent.charges::float8 as charges,
  coalesce(spent.credits, 0)::float8 as credits,
  coalesce(spent.refunds, 0)::float8 as refunds
from spent
left join api_key on api_key.key_id = spent.key_id
order by coalesce(spent.credits, 0) desc, spent.key_id

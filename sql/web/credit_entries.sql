-- credit_entries: a page of an account, newest first, with the balance after each.
--   $1 org_id  text
--   $2 first   date    UTC
--   $3 last    date
--   $4 before  bigint  entries below this number
--   $5 most    int     rows
-- index: credit_entry_org_id_entered_at_idx, account_pkey, api_key_pkey, person_pkey
-- budget: buffers <= 4000 + 10 * rows, rows read <= 400000
-- example: 'org_000000000000', '2026-11-01', '2026-11-30', 9000000000000000000, 25
-- The example finds no row, since ids are random.
-- The balance after an entry is that of the account without the newer entries.
-- null: layerId, dataset, keyId, keyName, lastFour
-- kind: kind top_up|dataset|worded|refund
-- columns: enteredAt "When", kind "For", keyName "Key or person", requestId "Request" minor, credits "Credits" number
-- columns: balance "Balance" number
-- csv: entryId, enteredAt, kind, dataset_id layerId, dataset, keyId, keyName, requestId, credits, balance
with page as (  -- at most $5 rows
  select *
  from credit_entry
  where credit_entry.org_id = $1::text
    and credit_entry.entered_at >= $2::date::timestamp at time zone 'UTC'
    and credit_entry.entered_at < ($3::date + 1)::timestamp at time zone 'UTC'
    and credit_entry.entry_id < $4::bigint
  order by credit_entry.entry_id desc
  limit $5::int
), newer as (  -- the sum of all entries after the page
  select coalesce(sum(credit_entry.credits), 0) as credits
  from credit_entry
  where credit_entry.org_id = $1::text
    and credit_entry.entered_at >= (select max(page.entered_at) from page)
    and credit_entry.entry_id > (select max(page.entry_id) from page)
)
select
  page.entry_id::text as "entryId",
  page.entered_at as "enteredAt",
  page.kind as kind,
  nullif(page.ref, '') as "layerId",
  dataset.name as dataset,
  page.key_id as "keyId",
  -- a question in the app has the id of a person in place of that of a key
  coalesce(api_key.name, (select person.name from person where person.person_id = page.key_id)) as "keyName",
  api_key.last_four as "lastFour",
  page.request_id as "requestId",
  page.credits::float8 as credits,
  (account.balance - newer.credits - coalesce(sum(page.credits) over newer_rows, 0))::float8 as balance
from page
join account on account.org_id = page.org_id
cross join newer
left join dataset on dataset.layer_id = page.ref
left join api_key on api_key.key_id = page.key_id
window newer_rows as (order by page.entry_id desc rows between unbounded preceding and 1 preceding)
order by page.entry_id desc

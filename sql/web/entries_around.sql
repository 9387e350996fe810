-- entries_around: an entry of an organisation's account with those of the same key before and after it, the newest first.
--   $1 org_id    text
--   $2 entry_id  bigint
--   $3 key_id    text    the key or person whose entries the asker may see; null for all
--   $4 most      int     entries on either side
-- index: credit_entry_pkey, credit_entry_key_id_idx, api_key_pkey, person_pkey
-- budget: buffers <= 60 + 20 * rows, rows read <= 200 + 20 * rows
-- example: 'org_000000000000', 1, null, 3
-- The example finds no row, since ids are random.
-- null: layerId, dataset, keyId, keyName, lastFour, $3
-- kind: kind top_up|dataset|worded|refund
-- columns: entryId "Entry"
-- columns: enteredAt "When", kind "For", keyName "Key or person", requestId "Request" minor, credits "Credits" number
with found as materialized (  -- the entry, where the asker may see it
  select * from credit_entry
  where credit_entry.entry_id = $2::bigint and credit_entry.org_id = $1::text
    and ($3::text is null or credit_entry.key_id = $3::text)
), newer as (  -- the next entries of the key
  select credit_entry.* from found
  cross join lateral (
    select * from credit_entry
    where credit_entry.key_id = found.key_id and (credit_entry.entered_at, credit_entry.entry_id) > (found.entered_at, found.entry_id)
    order by credit_entry.entered_at, credit_entry.entry_id limit $4::int
  ) as credit_entry
), older as (  -- the entries of the key before it
  select credit_entry.* from found
  cross join lateral (
    select * from credit_entry
    where credit_entry.key_id = found.key_id and (credit_entry.entered_at, credit_entry.entry_id) < (found.entered_at, found.entry_id)
    order by credit_entry.entered_at desc, credit_entry.entry_id desc limit $4::int
  ) as credit_entry
), listed as (  -- all of them
  select * from found
  union all
  -- a person spends in several organisations
  select * from newer where newer.org_id = $1::text
  union all
  select * from older where older.org_id = $1::text
)
select
  listed.entry_id::text as "entryId",
  listed.entered_at as "enteredAt",
  listed.kind as kind,
  nullif(listed.ref, '') as "layerId",
  dataset.name as dataset,
  listed.key_id as "keyId",
  -- a question in the app has the id of a person in place of that of a key
  coalesce(api_key.name, (select person.name from person where person.person_id = listed.key_id)) as "keyName",
  api_key.last_four as "lastFour",
  listed.request_id as "requestId",
  listed.credits::float8 as credits
from listed
left join dataset on dataset.layer_id = listed.ref
left join api_key on api_key.key_id = listed.key_id
order by listed.entered_at desc, listed.entry_id desc

-- Up Migration

-- A question of the web app is charged to a person: the entry has the id of the person in place of that of a key.
create or replace view credit_statement as
select
  entry.org_id,
  organisation.name as organisation,
  (entry.entered_at at time zone 'UTC')::date as day,
  entry.entered_at,
  entry.kind,
  nullif(entry.ref, '') as layer_id,
  dataset.name as dataset,
  entry.key_id,
  api_key.name as key_name,
  entry.request_id,
  entry.credits,
  sum(entry.credits) over (partition by entry.org_id order by entry.entry_id) as balance,
  person.name as person
from credit_entry as entry
join organisation using (org_id)
left join dataset on dataset.layer_id = entry.ref
left join api_key on api_key.key_id = entry.key_id
left join person on person.person_id = entry.key_id;
comment on column credit_statement.key_id is 'The key of the call, or the person who asked in the web app.';
comment on column credit_statement.key_name is 'Holder of the key; null after the key is removed, and for a person.';
comment on column credit_statement.person is 'The person who asked in the web app; null for a key, and after the person is removed.';

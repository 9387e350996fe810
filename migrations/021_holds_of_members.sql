-- Up Migration

-- A person in the app spends no more credits in a day than an owner has set, on words too: open holds know their payer.

drop function if exists hold_open(text, text, int, int, int);
alter table worded_hold add column key_id text;
comment on column worded_hold.key_id is 'The key, or the person in the app, that pays; null for a hold of a release before.';

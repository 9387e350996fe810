-- Up Migration

-- A key may have caps: credits, and worded answers, that it spends in a day and in a month, UTC.

alter table api_key
  add column daily_credits int,
  add column monthly_credits int,
  add column daily_words int,
  add column monthly_words int,
  -- squawk-ignore constraint-missing-not-valid
  add constraint caps_not_negative check (daily_credits >= 0 and monthly_credits >= 0 and daily_words >= 0 and monthly_words >= 0);
comment on column api_key.daily_credits is 'Credits that the key may spend in a day, UTC; null for all that the organisation has.';
comment on column api_key.monthly_credits is 'Credits that the key may spend in a month, UTC; null for all that the organisation has.';
comment on column api_key.daily_words is 'Worded answers that the key gets in a day, UTC; null for all that the organisation gets.';
comment on column api_key.monthly_words is 'Worded answers that the key gets in a month, UTC; null for all that the organisation gets.';
comment on constraint caps_not_negative on api_key is 'No cap is less than nothing.';

-- squawk-ignore require-concurrent-index-creation
create index worded_hold_key_id_idx on worded_hold (key_id, day) where posted;
comment on index worded_hold_key_id_idx is 'The worded answers of a key.';
comment on table worded_hold is
  'Worded answers that are being made. Each reserves its place until it is returned, fails or expires; a returned one stays until its month is over.';
comment on column worded_hold.posted is
  'True once the answer is counted, so that a retry does not count it again. The service removes the row after its month, or a day after it expired.';

create or replace trigger api_key_events
  after insert or delete or update of org_id, name, capabilities, datasets, created_at, expires_at, revoked_at, secret_hash,
    daily_credits, monthly_credits, daily_words, monthly_words
  on api_key
  for each row execute function api_key_events();
comment on trigger api_key_events on api_key is 'Enters the event of each change.';

-- caps_left: what a key may still spend of each of its caps, UTC; null where it has no such cap.
--   org, key  the key
-- A refund of today gives its credits back. Words that are being made are not counted.
create or replace function caps_left(org text, key text,
  out daily_credits bigint, out monthly_credits bigint, out daily_words bigint, out monthly_words bigint)
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select
    api_key.daily_credits - least(spent.today, api_key.daily_credits), api_key.monthly_credits - least(spent.this_month, api_key.monthly_credits),
    api_key.daily_words - least(worded.today, api_key.daily_words), api_key.monthly_words - least(worded.this_month, api_key.monthly_words)
  from api_key
  cross join (  -- one row: the day and the month in which it is counted
    select (ledger_clock() at time zone 'UTC')::date as day, date_trunc('month', ledger_clock() at time zone 'UTC')::date as month
  ) as clock
  cross join lateral (
    -- charges are negative; a key without such a cap reads no entry
    select coalesce(-sum(entry.credits), 0) as this_month,
      coalesce(-sum(entry.credits) filter (where entry.entered_at >= clock.day::timestamp at time zone 'UTC'), 0) as today
    from credit_entry as entry
    where coalesce(api_key.daily_credits, api_key.monthly_credits) is not null
      and entry.key_id = api_key.key_id and entry.entered_at >= clock.month::timestamp at time zone 'UTC'
  ) as spent
  cross join lateral (
    select count(*) as this_month, count(*) filter (where hold.day = clock.day) as today
    from worded_hold as hold
    where coalesce(api_key.daily_words, api_key.monthly_words) is not null
      and hold.key_id = api_key.key_id and hold.posted and hold.day >= clock.month
  ) as worded
  where api_key.key_id = key and api_key.org_id = org
$$;
comment on function caps_left(text, text) is
  'What a key may still spend of each of its caps, UTC; null where it has no such cap.';

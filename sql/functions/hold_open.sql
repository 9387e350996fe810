-- hold_open: opens a hold for one worded answer if the allowance or the credits cover it.
--   org, key      the payer
--   request       the call
--   monthly       worded answers that the plan covers in a month
--   daily         the most that an organisation gets in a day, UTC
--   seconds       until the hold expires: its process is gone
-- A person in the app spends no more in a day than an owner has set, and a key no more than its caps.
-- Returns "held", or why not: "no_allowance", "daily_ceiling", "key_cap", or "worded_before" where the hold of the call is posted.
create or replace function hold_open(org text, key text, request text, monthly int, daily int, seconds int) returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today date;
  credits_left bigint;
  held int;
  held_by_credits int;
  held_by_payer int;
  held_of_payer int;
  payer_left bigint;
  words_left bigint;
  is_held boolean;
  used_today int;
  allowance_used int;
  paid_by text := 'allowance';
begin
  select balance into strict credits_left from account where org_id = org for no key update;
  if paid_request(org, request) <> request then
    request := paid_request(org, request);
    -- It is paid for: its client did not get the words.
    if exists (select from worded_hold where request_id = request and posted) then
      return 'held';
    end if;
    -- Its words were given back, and are not counted a second time.
    if exists (select from credit_entry where org_id = org and request_id = request and kind = 'worded') then
      return 'worded_before';
    end if;
  end if;
  today := ledger_clock() at time zone 'UTC';
  delete from worded_hold where org_id = org and not posted and expires_at <= ledger_clock();
  select count(*), count(*) filter (where covered_by = 'credits'), count(*) filter (where covered_by = 'credits' and key_id = key),
    count(*) filter (where key_id = key), bool_or(request_id = request)
  into held, held_by_credits, held_by_payer, held_of_payer, is_held
  from worded_hold
  where org_id = org and not posted;
  if is_held then
    return 'held';
  end if;
  select coalesce(sum(by_allowance), 0), coalesce(sum(by_allowance + by_credits) filter (where day = today), 0)
  into allowance_used, used_today
  from worded_use
  where org_id = org and day >= date_trunc('month', today::timestamp);
  if used_today + held >= daily then
    return 'daily_ceiling';
  end if;
  select least(daily_words, monthly_words) into words_left from caps_left(org, key);
  if words_left - held_of_payer < 1 then
    return 'key_cap';
  end if;
  if allowance_used + held - held_by_credits >= monthly then
    paid_by := 'credits';
    if credits_left - held_by_credits < 1 then
      return 'no_allowance';
    end if;
    payer_left := credits_left_of(org, key) - held_by_payer;
    if payer_left < 1 then
      return case when key like 'per\_%' then 'no_allowance' else 'key_cap' end;
    end if;
  end if;
  insert into worded_hold (request_id, org_id, key_id, day, covered_by, expires_at)
  values (request, org, key, today, paid_by, ledger_clock() + make_interval(secs => seconds))
  on conflict do nothing;
  return case when found then 'held' else 'worded_before' end;
end $$;
comment on function hold_open(text, text, text, int, int, int) is
  'Opens a hold for one worded answer if the allowance or the credits cover it.';
revoke execute on function hold_open from public;

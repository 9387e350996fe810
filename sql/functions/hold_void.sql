-- hold_void: takes back the count and the credit of a worded answer that nobody received.
--   org, key  the payer
--   request   the call
-- The hold is deleted, so that a transaction that posts it later finds none.
create or replace function hold_void(org text, key text, request text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  hold worded_hold;
begin
  perform from account where org_id = org for no key update;
  request := request_to_void(org, request, false);
  -- Later, an operator settles it: a person who has the password of the service cannot take every count back.
  delete from worded_hold where request_id = request and org_id = org and expires_at > ledger_clock() - interval '1 day'
  returning * into hold;
  if hold.posted is not true then
    return;
  end if;
  update worded_use
  set by_allowance = by_allowance - (hold.covered_by = 'allowance')::int, by_credits = by_credits - (hold.covered_by = 'credits')::int
  where org_id = org and day = hold.day;
  if hold.covered_by = 'credits' then
    insert into credit_entry (org_id, key_id, request_id, kind, credits) values (org, key, request, 'refund', 1);
  end if;
end $$;
comment on function hold_void(text, text, text) is 'Takes back the count and the credit of a worded answer that nobody received.';
revoke execute on function hold_void from public;

-- hold_post: counts a worded answer, once, and returns what covered it: null if its hold is gone.
--   org, key  the payer
--   request   the call
create or replace function hold_post(org text, key text, request text) returns text
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  hold worded_hold;
begin
  perform from account where org_id = org for no key update;
  request := paid_request(org, request);
  select * into hold from worded_hold where request_id = request and org_id = org;
  if hold.posted is distinct from false then
    return hold.covered_by;
  end if;
  update worded_hold set posted = true where request_id = request;
  insert into worded_use (org_id, day, by_allowance, by_credits)
  values (org, hold.day, (hold.covered_by = 'allowance')::int, (hold.covered_by = 'credits')::int)
  on conflict on constraint worded_use_pkey do update
  set by_allowance = worded_use.by_allowance + excluded.by_allowance, by_credits = worded_use.by_credits + excluded.by_credits;
  if hold.covered_by = 'credits' then
    insert into credit_entry (org_id, key_id, request_id, kind, credits) values (org, key, request, 'worded', -1);
  end if;
  return hold.covered_by;
end $$;
comment on function hold_post(text, text, text) is
  'Counts a worded answer, once, and returns what covered it: null if its hold is gone.';
revoke execute on function hold_post from public;

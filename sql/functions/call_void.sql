-- call_void: marks a call as failed, and refunds its charges for datasets.
--   org, key  the payer
--   request   the call
-- Calls under one Idempotency-Key share a charge: it is given back when the last of them has failed.
-- Trigger credit_entry_changes_balance refuses a charge that commits after the mark.
create or replace function call_void(org text, key text, request text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from account where org_id = org for no key update;
  request := request_to_void(org, request, true);
  if request is null then
    return;
  end if;
  -- Whoever hangs up gets the credits back, unless other calls have had pages for them.
  if exists (select from paid_walk where org_id = org and request_id = request and is_shared) then
    return;
  end if;
  delete from paid_walk where org_id = org and request_id = request;
  insert into voided_call (org_id, request_id) values (org, request) on conflict do nothing;
  insert into credit_entry (org_id, key_id, request_id, kind, ref, credits)
  select org, key, request, 'refund', ref, -credits
  from credit_entry
  where org_id = org and request_id = request and kind = 'dataset'
  on conflict on constraint credit_entry_once do nothing;
end $$;
comment on function call_void(text, text, text) is 'Marks a call as failed, and refunds its charges for datasets.';
revoke execute on function call_void from public;

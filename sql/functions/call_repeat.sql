-- call_repeat: enters a call that came with an Idempotency-Key; false where it asks something else than a call before it.
--   org, request  the payer, and the call
--   idempotency   the key
--   question      a hash of what the call asks
-- A call is charged as the first one under its key that has not failed, for 24 hours after that one began.
create or replace function call_repeat(org text, request text, idempotency text, question text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  earlier repeated_call;
begin
  perform from account where org_id = org for no key update;
  select * into earlier
  from repeated_call
  where org_id = org and idempotency_key = idempotency and not has_failed and began_at > ledger_clock() - interval '24 hours'
  limit 1;
  if earlier.asked <> question then
    return false;
  end if;
  insert into repeated_call (org_id, request_id, idempotency_key, asked, paid_as, began_at)
  values (org, request, idempotency, question, coalesce(earlier.paid_as, request), coalesce(earlier.began_at, ledger_clock()))
  -- the same change, sent again since its outcome was unknown
  on conflict on constraint repeated_call_pkey do nothing;
  return true;
end $$;
comment on function call_repeat(text, text, text, text) is
  'Enters a call that came with an Idempotency-Key; false where it asks something else than a call before it.';
revoke execute on function call_repeat from public;

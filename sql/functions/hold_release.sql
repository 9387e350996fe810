-- hold_release: deletes the hold of an answer that got no words, unless it is posted.
--   org, request  the call
-- It reads no balance, so it locks no account.
create or replace function hold_release(org text, request text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  request := paid_request(org, request);
  delete from worded_hold where request_id = request and org_id = org and not posted;
end $$;
comment on function hold_release(text, text) is 'Deletes the hold of an answer that got no words, unless it is posted.';
revoke execute on function hold_release from public;

-- paid_request: the call whose id the ledger has for a call: itself, or the first under its Idempotency-Key.
--   org, request  the payer, and the call
create or replace function paid_request(org text, request text) returns text
  language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return coalesce((select paid_as from repeated_call where org_id = org and request_id = request), request);
end $$;
comment on function paid_request(text, text) is
  'The call whose id the ledger has for a call: itself, or the first under its Idempotency-Key.';
revoke execute on function paid_request from public;

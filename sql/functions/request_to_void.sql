-- request_to_void: the call whose charges a call that failed gives back; null where a repetition of it stands.
--   org, request  the payer, and the call that failed
--   whole         false: only its words failed, and its answer may have gone out
-- The row of the account is locked.
create or replace function request_to_void(org text, request text, whole boolean) returns text
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  paid text := paid_request(org, request);
begin
  -- A call that was charged for datasets has answered with them.
  if whole or not exists (select from credit_entry where org_id = org and request_id = paid and kind = 'dataset') then
    update repeated_call set has_failed = true where org_id = org and request_id = request;
  end if;
  return case when not exists (
    select from repeated_call where org_id = org and paid_as = paid and request_id <> request and not has_failed
  ) then paid end;
end $$;
comment on function request_to_void(text, text, boolean) is
  'The call whose charges a call that failed gives back; null where a repetition of it stands.';
revoke execute on function request_to_void from public;

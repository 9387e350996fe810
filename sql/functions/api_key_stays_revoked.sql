-- api_key_stays_revoked: the trigger function that revokes a key for good, unless its revocation lies ahead.
-- An owner who undoes a revocation sets revoked_at to null.
create or replace function api_key_stays_revoked() returns trigger
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.revoked_for_good := new.revoked_at is not null and (new.revoked_for_good or new.revoked_at <= clock_timestamp());
  return new;
end $$;
comment on function api_key_stays_revoked() is 'Revokes a key for good, unless its revocation lies ahead.';
revoke execute on function api_key_stays_revoked from public;

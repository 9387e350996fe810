-- api_key_events: the trigger function that enters the event of each change of a key.
-- It runs with the rights of the owner, since nobody else may add events.
create or replace function api_key_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  -- A key's values without its secret and what follows from them; the instants as PostgreSQL writes them in JSON.
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then
    before := to_jsonb(old) - array['key_id', 'secret_hash', 'created_by', 'rolled_from', 'revoked_for_good'];
  end if;
  if tg_op = 'DELETE' then
    perform event_enter(old.org_id, 'deleted', old.key_id, null, before - 'org_id');
    return null;
  end if;
  after := to_jsonb(new) - array['key_id', 'secret_hash', 'created_by', 'rolled_from', 'revoked_for_good'];
  if tg_op = 'INSERT' then
    perform event_enter(new.org_id, case when new.rolled_from is null then 'minted' else 'rolled' end, new.key_id, null,
      after - array['org_id', 'created_at'] || jsonb_build_object('rolled_from', new.rolled_from));
    return null;
  end if;
  if new.revoked_at is distinct from old.revoked_at and new.revoked_at is not null then
    perform event_enter(new.org_id, 'revoked', new.key_id, null, jsonb_build_object('revoked_at', new.revoked_at));
    before := before - 'revoked_at';
    after := after - 'revoked_at';
  end if;
  if before <> after or new.secret_hash <> old.secret_hash then
    perform event_enter(new.org_id, 'changed', new.key_id, null, changed_values(before, after));
  end if;
  return null;
end $$;
comment on function api_key_events() is 'Enters the event of each change of a key.';
revoke execute on function api_key_events from public;

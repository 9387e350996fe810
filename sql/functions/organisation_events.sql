-- organisation_events: the trigger function that enters the event of each change of an organisation.
-- It runs with the rights of the owner, since nobody else may add events.
create or replace function organisation_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform event_enter(new.org_id, 'created', null, null, jsonb_build_object('name', new.name, 'plan', new.plan));
  elsif tg_op = 'UPDATE' then
    perform event_enter(new.org_id, 'organisation_changed', null, null, changed_values(
      jsonb_build_object('name', old.name, 'plan', old.plan), jsonb_build_object('name', new.name, 'plan', new.plan)));
  else
    perform event_enter(old.org_id, 'organisation_deleted', null, null, jsonb_build_object('name', old.name));
  end if;
  return null;
end $$;
comment on function organisation_events() is 'Enters the event of each change of an organisation.';
revoke execute on function organisation_events from public;

-- membership_events: the trigger function that enters the event of each change of a member.
-- It runs with the rights of the owner, since nobody else may add events.
create or replace function membership_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  -- The event keeps the name, since the person may be deleted later. A person who is deleted now has no row any more.
  old_name text := (select name from person where person_id = old.person_id);
  new_name text := (select name from person where person_id = new.person_id);
begin
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and (new.org_id, new.person_id) <> (old.org_id, old.person_id) then
    perform event_enter(old.org_id, 'removed', null, old.person_id, jsonb_build_object('name', old_name, 'role', old.role));
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and (new.org_id, new.person_id) <> (old.org_id, old.person_id) then
    perform event_enter(new.org_id, 'joined', null, new.person_id, jsonb_build_object('name', new_name, 'role', new.role));
  elsif tg_op = 'UPDATE' and new.role <> old.role then
    perform event_enter(new.org_id, 'role_changed', null, new.person_id, jsonb_build_object('name', new_name, 'from', old.role, 'to', new.role));
  end if;
  if tg_op = 'UPDATE' and new.daily_credits is distinct from old.daily_credits then
    perform event_enter(new.org_id, 'limit_changed', null, new.person_id, jsonb_build_object('name', new_name, 'credits', new.daily_credits));
  end if;
  return null;
end $$;
comment on function membership_events() is 'Enters the event of each change of a member.';
revoke execute on function membership_events from public;

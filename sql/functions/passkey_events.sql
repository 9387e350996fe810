-- passkey_events: the trigger function that enters the event of each passkey that is added or removed.
-- It runs with the rights of the owner, since nobody else may add events. A passkey signs its person in to each of the
-- person's organisations, so each of them gets the event. A person who is deleted is a member of none any more.
create or replace function passkey_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  present passkey := coalesce(new, old);
begin
  perform event_enter(
    org_id, case tg_op when 'INSERT' then 'passkey_added' else 'passkey_removed' end, null, person_id,
    jsonb_build_object('name', person.name, 'passkey', present.name))
  from membership
  join person using (person_id)
  where person_id = present.person_id
  order by org_id;
  return null;
end $$;
comment on function passkey_events() is 'Enters the event of each passkey that is added or removed.';
revoke execute on function passkey_events from public;

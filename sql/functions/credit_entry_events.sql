-- credit_entry_events: the trigger function that enters the event of a top-up.
-- It runs with the rights of the owner, since nobody else may add events.
create or replace function credit_entry_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform event_enter(new.org_id, 'topped_up', null, null, jsonb_build_object('credits', new.credits));
  return null;
end $$;
comment on function credit_entry_events() is 'Enters the event of a top-up.';
revoke execute on function credit_entry_events from public;

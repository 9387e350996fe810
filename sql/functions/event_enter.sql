-- event_enter: enters an event, with the one who makes the change.
--   org     the organisation
--   action  see column key_event.action
--   key     the key that changed, or null
--   person  the person whom the change concerns, or null
--   detail  the values that changed
-- The app and the command line name the actor by settings of their transaction: frames.actor (a name),
-- frames.actor_person (an id) and frames.from (an address). In psql the role is the actor. A setting that a past
-- transaction had is blank, not null.
create or replace function event_enter(org text, action text, key text, person text, detail jsonb) returns void
  language plpgsql as $$
begin
  insert into key_event (org_id, action, key_id, person_id, detail, actor, actor_person, from_address)
  values (
    org, action, key, person, jsonb_strip_nulls(detail),
    coalesce(nullif(btrim(current_setting('frames.actor', true)), ''), session_user),
    nullif(current_setting('frames.actor_person', true), ''),
    nullif(current_setting('frames.from', true), '')
  );
end $$;
comment on function event_enter(text, text, text, text, jsonb) is
  'Enters an event. The actor is that of the settings frames.actor, frames.actor_person and frames.from, else the role of the session.';
revoke execute on function event_enter from public;

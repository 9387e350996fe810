-- session_events: the trigger function that enters the event of each sign-in, and of each session that somebody ends.
-- It runs with the rights of the owner, since nobody else may add events. A session that is deleted after its end, or
-- with its membership, is no event. A person who switches to another organisation leaves one and comes to the other.
create or replace function session_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  present session := coalesce(new, old);
  detail jsonb := jsonb_build_object(
    'name', (select name from person where person_id = present.person_id), 'by', present.made_by, 'browser', present.browser);
begin
  if tg_op = 'UPDATE' and new.org_id = old.org_id then
    return null;
  end if;
  if tg_op <> 'INSERT'
    -- IDLE_HOURS of session-life.ts is 12, too.
    and old.ends_at > clock_timestamp() and old.seen_at > clock_timestamp() - interval '12 hours'
    and exists (select from membership where person_id = old.person_id and org_id = old.org_id)
  then
    perform event_enter(old.org_id, 'session_ended', null, old.person_id, detail);
  end if;
  if tg_op = 'UPDATE' then
    detail := detail || '{"by": "switch"}';
  end if;
  if tg_op <> 'DELETE' then
    perform event_enter(new.org_id, 'signed_in', null, new.person_id, detail);
  end if;
  return null;
end $$;
comment on function session_events() is 'Enters the event of each sign-in, and of each session that somebody ends.';
revoke execute on function session_events from public;

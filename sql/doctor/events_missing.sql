-- events_missing: keys, revocations, memberships and sessions without their event.
-- Triggers enter events with each change. A trigger that was off, or a restore in parts, can leave one out. The fix
-- enters the event with the instant that the table knows; nobody knows the actor any more.
with due (org_id, action, key_id, person_id, at) as (  -- one row per event that has to be there
  select org_id, case when rolled_from is null then 'minted' else 'rolled' end, key_id, null, created_at from api_key
  union all
  select org_id, 'revoked', key_id, null, revoked_at from api_key where revoked_at is not null
  union all
  select org_id, 'joined', null, person_id, created_at from membership
  union all
  select org_id, 'signed_in', null, person_id, created_at from session
), entered as (  -- one row per event; a key that was rolled loses the mention of the old key when that is deleted
  select org_id, coalesce(key_id, person_id) as subject, case action when 'rolled' then 'minted' else action end as action
  from key_event
)
select 'wrong' as severity,
  case when key_id is null then 'Person ' || person_id else 'Key ' || key_id end || ' of ' || org_id || ' has no event "' || action || '".' as what,
  format('insert into key_event (org_id, action, key_id, person_id, actor, entered_at) values (%L, %L, %L, %L, ''unknown'', %L);',
    org_id, action, key_id, person_id, at) as fix
from due
where not exists (
  select from entered
  where entered.org_id = due.org_id and entered.subject = coalesce(due.key_id, due.person_id)
    and entered.action = case due.action when 'rolled' then 'minted' else due.action end
)

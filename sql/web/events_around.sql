-- events_around: an event of an organisation with those before and after it, the newest first.
--   $1 org_id    text
--   $2 event_id  bigint
--   $3 most      int     events on either side
-- index: key_event_org_id_idx, api_key_pkey
-- budget: buffers <= 40 + 12 * rows, rows read <= 60 + 8 * rows
-- example: 'org_000000000000', 1, 3
-- The example finds no row, since ids are random.
-- null: keyId, keyName, fromAddress
-- json: detail Record<string, unknown>
-- columns: eventId "Event", enteredAt "When", actor "Who", action "What" wide, keyName "Key" wide, fromAddress "From"
with newer as (  -- with the event itself
  select * from key_event
  where key_event.org_id = $1::text and key_event.event_id >= $2::bigint
  order by key_event.event_id limit $3::int + 1
), listed as (  -- nothing where the organisation has no such event
  select newer.* from newer where exists (select from newer as itself where itself.event_id = $2::bigint)
  union all
  (
    select * from key_event
    where key_event.org_id = $1::text and key_event.event_id < $2::bigint
      and exists (select from newer as itself where itself.event_id = $2::bigint)
    order by key_event.event_id desc limit $3::int
  )
)
select
  listed.event_id::text as "eventId",
  listed.action as action,
  listed.key_id as "keyId",
  api_key.name as "keyName",
  listed.actor as actor,
  coalesce(listed.actor_person = listed.person_id, false) as "isOwnChange",
  listed.from_address as "fromAddress",
  listed.detail as detail,
  listed.entered_at as "enteredAt"
from listed
left join api_key on api_key.key_id = listed.key_id
order by listed.event_id desc

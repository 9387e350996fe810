-- events_of_key: what happened to a key, the newest first.
--   $1 key_id  text
--   $2 most    bigint
-- index: key_event_key_id_idx, api_key_pkey
-- budget: buffers <= 20 + 12 * rows, rows read <= 4 * rows
-- example: 'key_000000000000', 50
-- The example finds no row, since ids are random.
-- null: keyId, keyName, fromAddress
-- json: detail Record<string, unknown>
-- columns: enteredAt "When", actor "Who", action "What" wide, fromAddress "From"
select
  key_event.event_id::text as "eventId",
  key_event.action as action,
  key_event.key_id as "keyId",
  api_key.name as "keyName",
  key_event.actor as actor,
  coalesce(key_event.actor_person = key_event.person_id, false) as "isOwnChange",
  key_event.from_address as "fromAddress",
  key_event.detail as detail,
  key_event.entered_at as "enteredAt"
from key_event
left join api_key on api_key.key_id = key_event.key_id
where key_event.key_id = $1
order by key_event.event_id desc
limit $2

-- keys_undone: keys that their events call revoked or minted, and whose row says otherwise.
-- Writes that went past the triggers do that, and a restore of table api_key alone from an older dump: callers whose
-- key was revoked are let in again, and the secret of a key that was minted or rolled since is unknown. An owner who
-- undoes a revocation leaves the event "changed", the newest one.
with last as (  -- one row per key: its newest event about a revocation
  select distinct on (key_id) org_id, key_id, action, entered_at,
    -- "changed" has the instant before
    case action when 'revoked' then (detail ->> 'revoked_at')::timestamptz end as due_at
  from key_event
  where action = 'revoked' or action = 'changed' and detail ? 'revoked_at'
  order by key_id, event_id desc
), gone as (  -- one row per key that has no row, and that nobody deleted
  select distinct on (key_id) org_id, key_id, action
  from key_event
  where action in ('minted', 'rolled', 'deleted') and not exists (select from api_key where api_key.key_id = key_event.key_id)
  order by key_id, event_id desc
), undone (key_id, org_id, what, fix) as (  -- one row per key
  select key_id, last.org_id, 'is accepted, although its event says that it was revoked',
    format('update api_key set revoked_at = least(revoked_at, clock_timestamp()) where key_id = %L;', key_id)
  from last
  join api_key using (key_id)
  where last.action = 'revoked'
    and expires_at > clock_timestamp() and not revoked_for_good and (revoked_at is null or revoked_at > clock_timestamp())
    -- The grace of a key that was rolled lies ahead of its event.
    and (due_at <= entered_at or coalesce(due_at, entered_at) <= clock_timestamp())
  union all
  select key_id, org_id, 'is unknown, although its event says that it was minted: its holder needs another',
    format('insert into key_event (org_id, action, key_id, actor) values (%L, ''deleted'', %L, ''unknown'');', org_id, key_id)
  from gone
  where action <> 'deleted'
)
select 'wrong' as severity, 'Key ' || key_id || ' of ' || org_id || ' ' || what || '.' as what, fix as fix
from undone

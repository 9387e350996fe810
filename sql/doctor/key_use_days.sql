-- key_use_days: uses of keys on days on which the key could not be used.
-- A process whose clock is wrong counts for another day. One day is left for time zones and for calls around midnight.
with odd as (  -- one row per key and day
  select key_use.key_id, key_use.day, sum(key_use.calls) as calls
  from key_use
  left join api_key using (key_id)
  where key_use.day > (now() at time zone 'UTC')::date + 1
    or key_use.day < (api_key.created_at at time zone 'UTC')::date - 1
    or key_use.day > (least(api_key.expires_at, api_key.revoked_at) at time zone 'UTC')::date + 1 and key_use.outcome = 'ok'
  group by key_use.key_id, key_use.day
)
select 'wrong' as severity,
  'Key ' || key_id || ' has ' || calls || ' calls on ' || day || ', a day on which it could not be used.' as what,
  format('delete from key_use where key_id = %L and day = %L;', key_id, day) as fix
from odd

-- vacuum_held_back: open, prepared and old transactions and replication slots that keep vacuum from removing dead rows.
-- A role sees its own sessions; a member of pg_read_all_stats sees all. The check leaves out sessions that end by
-- themselves (idle_in_transaction_session_timeout).
with mine as (  -- one row: whether the caller sees all sessions, and whether it is a superuser
  select pg_has_role('pg_read_all_stats', 'USAGE') as sees_all, rolsuper from pg_roles where rolname = current_user
), hidden as (  -- who is in a transaction just now, which pg_locks shows to all, and when it began it does not
  select distinct usename
  from pg_stat_activity
  cross join mine
  where not sees_all and not pg_has_role(usesysid, 'USAGE')
    and exists (select from pg_locks where locktype = 'virtualxid' and mode = 'ExclusiveLock' and pg_locks.pid = pg_stat_activity.pid)
    and not exists (
    select from pg_db_role_setting cross join unnest(setconfig) as setting
    where setrole = usesysid and setting ~ '^idle_in_transaction_session_timeout=.*[1-9]'
  )
)
select 'advice' as severity,
  format('Session %s of %s has been idle in a transaction since %s: no row deleted since can be cleared away.', pid, usename,
    to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')) as what,
  format('select pg_terminate_backend(%s);', pid) as fix
from pg_stat_activity
where state like 'idle in transaction%' and xact_start < now() - interval '10 minutes' and datname = current_database()
union all
select 'advice' as severity,
  format('Transaction %L of %s has been prepared since %s and never ended: it keeps its locks and all rows deleted since.', gid, owner,
    to_char(prepared at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')) as what,
  case when rolsuper or owner = current_user then '' else format(E'-- %s, or a superuser, runs this in database %s:\n', owner, database) end
    || format(E'-- To keep what it did: commit prepared %L\nrollback prepared %1$L;', gid) as fix
from pg_prepared_xacts
cross join mine
where prepared < now() - interval '10 minutes'
union all
select 'advice' as severity,
  format('Replication slot %s is %s%s.', slot_name,
    case when active then 'read by a replica that holds back vacuum' else 'not in use and keeps the log from being removed' end,
    case when xmin is null and catalog_xmin is null then '' else
      ': rows deleted in the last ' || greatest(age(xmin), age(catalog_xmin)) || ' transactions stay' end) as what,
  case when active then '-- End the long query there, or set hot_standby_feedback = off on the replica.' else
    E'-- Where its replica will not come back, ' || case when rolsuper then '' else 'a superuser runs ' end || E'this:\n'
      || format('select pg_drop_replication_slot(%L);', slot_name) end as fix
from pg_replication_slots
cross join mine
where not active and not temporary or greatest(age(xmin), age(catalog_xmin)) > 1000000
union all
select 'unchecked' as severity, 'Sessions of ' || string_agg(usename, ', ' order by usename)
    || ' are in a transaction and not shown to this role: "grant pg_read_all_stats" to it, or run the doctor as a superuser.' as what, '' as fix
from hidden
having count(*) > 0

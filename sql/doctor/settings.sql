-- settings: settings of the server that can lose charges, refuse calls or keep the planner from indexes.
--   $1 connections  int  that one process of the service opens
-- The ledger holds money: a committed charge has to survive a crash. The command line of the server overrules ALTER
-- SYSTEM, which only a superuser may use.
with setting as (  -- one row per setting, as a new session has it
  select name, reset_val as value, boot_val, source, context from pg_settings
), fault (severity, name, what, better) as (  -- one row per setting that should be otherwise
  select 'wrong', name, 'a crash can destroy the database', 'on' from setting where name in ('fsync', 'full_page_writes') and value = 'off'
  union all
  select 'wrong', name, 'a crash can undo charges that were made', 'on' from setting where name = 'synchronous_commit' and value = 'off'
  union all
  select 'wrong', name, 'statistics and the space of dead rows are looked after by nobody', 'on'
  from setting where name in ('autovacuum', 'track_counts') and value = 'off'
  union all
  select 'wrong', name, 'one process of the service opens ' || $1::int || ' connections, some are kept for superusers', ($1::int + 20)::text
  from setting
  where name = 'max_connections' and value::int < $1::int + current_setting('superuser_reserved_connections')::int + 1
  union all
  select 'wrong', name, 'no charge can be written, and no question counted', 'off'
  from setting where name = 'default_transaction_read_only' and value = 'on'
  union all
  select 'wrong', name, 'the planner may not use the indexes that calls are answered from', 'on'
  from setting where name in ('enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan', 'enable_nestloop') and value = 'off'
  union all
  select 'wrong', name, 'a table is not found, or another of its name is', boot_val
  from setting where name = 'search_path' and replace(value, ' ', '') not in ('public', '"$user",public')
  union all
  select 'advice', name, 'right for turning disks; on SSDs it keeps the planner from indexes', '1.1'
  from setting where name = 'random_page_cost' and value::float8 > 1.5
), caller as (  -- the rights of the caller
  select rolsuper, pg_has_role(datdba, 'USAGE') as owns_database,
    rolname not in ('frames_service', 'frames_console') and not pg_has_role((select relowner from pg_class where oid = to_regclass('public.migration')), 'USAGE') as is_analyst
  from pg_roles, pg_database
  where rolname = current_user and datname = current_database()
)
select severity as severity, name || ' is ' || value || ': ' || fault.what || '.' as what,
  -- a session that reads only may not change this very setting
  case when name = 'default_transaction_read_only' and source in ('database', 'user', 'database user') then E'set default_transaction_read_only = off;\n' else '' end
  || case
    when source = 'database' then case when owns_database then '' else E'-- The owner of the database, or a superuser, runs this:\n' end
      || format('alter database %I reset %s;', current_database(), name)
    when source = 'user' then format('alter role %I reset %s;', current_user, name)
    when source = 'database user' then format('alter role %I in database %I reset %s;', current_user, current_database(), name)
    when source = 'command line' then
      format('-- It is set on the command line of the server (-c): set %s to %s there, and start PostgreSQL again.', name, better)
    when source = 'environment variable' then
      format('-- It is set in the environment of the server: set %s to %s there, and start PostgreSQL again.', name, better)
    when source = 'client' then format('-- DATABASE_URL or PGOPTIONS sets it: take %s out of there.', name)
    else case when rolsuper then '' else E'-- A superuser runs this; where there is none, the console of the provider sets it:\n' end
      || format(E'alter system set %s = %s;\n', name, case name when 'search_path' then better else quote_literal(better) end)
      || case context when 'postmaster' then '-- and start PostgreSQL again' else 'select pg_reload_conf();' end
  end as fix
from fault
join setting using (name)
cross join caller
-- roles.sql sets both for analysts, whose sessions neither charge nor import
where not (name in ('default_transaction_read_only', 'search_path') and source in ('user', 'database user') and is_analyst)

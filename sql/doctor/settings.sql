-- settings: settings of the server under which data can be lost, calls be refused, or plans be poor.
--   $1 connections  int  that one process of the service opens
-- The ledger holds money: what was committed has to be there after a crash.
with setting as (
  select name, reset_val as value, source,
    case unit when '8kB' then 8192 * reset_val::bigint when 'kB' then 1024 * reset_val::bigint end as bytes
  from pg_settings
), fault (severity, name, what, better) as (
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
  select 'advice', name, 'right for turning disks; on SSDs it keeps the planner from indexes', '1.1'
  from setting where name = 'random_page_cost' and value::float8 > 1.5
  union all
  select 'advice', name, 'a quarter of the memory is usual for a database server', '1GB'
  from setting where name = 'shared_buffers' and bytes < 256 * 1024 * 1024
  union all
  select 'advice', name, 'less than shared_buffers: the planner thinks the index is not in memory', '3GB'
  from setting where name = 'effective_cache_size' and bytes < (select bytes from setting where name = 'shared_buffers')
  union all
  select 'advice', name, 'boxes and questions sort up to 20,000 rows', '8MB' from setting where name = 'work_mem' and bytes < 4 * 1024 * 1024
  union all
  select 'advice', name, 'pg_stat_statements and EXPLAIN cannot tell reading from waiting', 'on'
  from setting where name = 'track_io_timing' and value = 'off'
)
select severity as severity, name || ' is ' || value || ': ' || fault.what || '.' as what,
  case source
    when 'database' then format('alter database %I reset %s;', current_database(), name)
    when 'user' then format('alter role %I reset %s;', current_user, name)
    when 'database user' then format('alter role %I in database %I reset %s;', current_user, current_database(), name)
    else format(E'alter system set %s = %L;\n', name, better)
      || case when name in ('max_connections', 'shared_buffers') then '-- and start PostgreSQL again' else 'select pg_reload_conf();' end
  end as mend
from fault
join setting using (name)
union all
select 'advice' as severity, 'Pages have no checksums: damage on the disk goes unseen.' as what,
  '-- With PostgreSQL stopped: pg_checksums --enable -D DATA_DIRECTORY' as mend
where current_setting('data_checksums') = 'off'
union all
select 'advice' as severity, 'There is no pg_stat_statements: what statements cost goes unseen.' as what,
  E'alter system set shared_preload_libraries = ''pg_stat_statements'';\n-- start PostgreSQL again, then\ncreate extension pg_stat_statements;' as mend
where not exists (select from pg_extension where extname = 'pg_stat_statements')

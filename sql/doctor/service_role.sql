-- service_role: whether frames_service can log in, its rights beyond this database, and the settings of its sessions.
--   $1 connections  int  that one process of the service opens
-- A call waits ten seconds for the database at most. A number without a unit is in milliseconds.
with service as (  -- the role of the service, with the settings of its sessions
  select pg_roles.*, array(
    select unnest(setconfig) from pg_db_role_setting
    where setrole = pg_roles.oid and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  ) as settings
  from pg_roles
  where rolname = 'frames_service'
), here as (  -- this database
  select pg_database.*, current_database() as name from pg_database where datname = current_database()
), caller as (  -- who may not change roles is told who may
  select case when rolsuper or rolcreaterole then '' else E'-- A superuser runs this:\n' end as changes_roles,
    case when rolsuper or pg_has_role(datdba, 'USAGE') then '' else E'-- The owner of the database, or a superuser, runs this:\n' end as changes_database
  from pg_roles, here
  where rolname = current_user
), shut (what, fix) as (  -- why a connection would be refused
  select 'may not log in', 'alter role frames_service login;' from service where not rolcanlogin
  union all
  select 'may log in until ' || rolvaliduntil || ' only, which is past', 'alter role frames_service valid until ''infinity'';'
  from service where rolvaliduntil < now()
  union all
  select 'may open ' || rolconnlimit || ' connections, one process opens ' || $1::int, 'alter role frames_service connection limit -1;'
  from service where rolconnlimit >= 0 and rolconnlimit < $1::int
), owned as (  -- one row per table or view that the role owns
  select relname, relkind from pg_class, service where relowner = service.oid and relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
), made as (  -- settings given to the role, here or in all databases
  select split_part(setting, '=', 1) as name, substring(setting from '=(.*)') as value,
    case when setdatabase = 0 then '' else format(' in database %I', here.name) end as place
  from service
  join here on true
  join pg_db_role_setting on setrole = service.oid and setdatabase in (0, here.oid)
  cross join unnest(setconfig) as setting
)
select 'unchecked' as severity, 'There is no role frames_service; migrations/roles.sql makes it.' as what, '' as fix
where not exists (select from service)
union all
select 'wrong' as severity, 'frames_service ' || what || ': the service cannot start.' as what, changes_roles || shut.fix as fix
from shut, caller
union all
select 'wrong' as severity, 'frames_service may not connect to database ' || name || '.' as what,
  changes_database || format('grant connect on database %I to frames_service;', name) as fix
from service, here, caller
where not has_database_privilege(service.oid, here.oid, 'CONNECT')
union all
select 'wrong' as severity, 'Database ' || name || ' takes ' || datconnlimit || ' connections, one process of the service opens ' || $1::int || '.' as what,
  changes_database || format('alter database %I connection limit -1;', name) as fix
from service, here, caller
where datconnlimit >= 0 and datconnlimit < $1::int
union all
select 'wrong' as severity,
  case made.name
    when 'search_path' then 'frames_service has search_path ' || value || ': a table is not found, or another of its name is.'
    when 'default_transaction_read_only' then 'frames_service reads only: no charge can be written.'
    when 'synchronous_commit' then 'frames_service has synchronous_commit off: a crash can undo charges that were made.'
    else 'frames_service has ' || made.name || ' off: its plans are not those that sql/ was measured with.'
  end as what,
  changes_roles || format('alter role frames_service%s reset %s;', place, made.name) as fix
from made, caller
where case
  when made.name = 'search_path' then replace(value, ' ', '') not in ('public', '"$user",public')
  when made.name = 'synchronous_commit' then lower(value) in ('off', 'false', 'no', '0')
  when made.name = 'default_transaction_read_only' then value::boolean
  when made.name like 'enable\_%' then not value::boolean
end
union all
-- Ten seconds are what a call waits for the database. A number without a unit is in milliseconds.
select 'wrong' as severity,
  'frames_service has statement_timeout ' || value || ': statements are ended that a call still waits for, ten seconds at most.' as what,
  changes_roles || format('alter role frames_service%s set statement_timeout = ''15s'';', place) as fix
from made, caller
where made.name = 'statement_timeout'
  and case when value ~ '^\d+$' then value::int * interval '1 ms' else value::interval end between interval '1 ms' and interval '9999 ms'
union all
select 'advice' as severity, 'frames_service may do more than serve: ' || concat_ws(', ',
    case when rolsuper then 'superuser' end, case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
    case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end) || '.' as what,
  changes_roles || 'alter role frames_service nosuperuser nocreaterole nocreatedb noreplication nobypassrls;' as fix
from service, caller
where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
union all
select 'advice' as severity, 'frames_service is a member of ' || parent.rolname || '.' as what,
  changes_roles || format('revoke %I from frames_service;', parent.rolname) as fix
from service
join pg_auth_members on member = service.oid
join pg_roles as parent on parent.oid = roleid
cross join caller
union all
select 'advice' as severity, 'frames_service owns ' || relname || ', and so may change or drop it.' as what,
  changes_roles || format(E'alter %s public.%I owner to %s;\nselect service_may(''frames_service'');', case relkind when 'v' then 'view' else 'table' end, relname,
    (select relowner::regrole from pg_class as known where known.oid = to_regclass('public.index_generation'))) as fix
from owned, caller
union all
select 'advice' as severity, 'frames_service has no ' || name || ': a statement that nobody waits for any more goes on.' as what,
  changes_roles || format('alter role frames_service set %s = %L;', name, '15s') as fix
from service, caller
cross join unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name
where not exists (select from unnest(settings) as each where each ~ ('^' || name || '=.*[1-9]'))

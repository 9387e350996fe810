-- service_role: what the role of the service could do to all databases, and what keeps its statements from ending.
with service as (
  select pg_roles.*, array(
    select unnest(setconfig) from pg_db_role_setting
    where setrole = pg_roles.oid and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  ) as settings
  from pg_roles
  where rolname = 'frames_service'
), owned as (
  select relname, relkind from pg_class, service where relowner = service.oid and relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
)
select 'unchecked' as severity, 'There is no role frames_service; migrations/roles.sql makes it.' as what, '' as mend
where not exists (select from service)
union all
select 'advice' as severity, 'frames_service may do more than serve: ' || concat_ws(', ',
    case when rolsuper then 'superuser' end, case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
    case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end) || '.' as what,
  'alter role frames_service nosuperuser nocreaterole nocreatedb noreplication nobypassrls;' as mend
from service
where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
union all
select 'advice' as severity, 'frames_service is a member of ' || parent.rolname || '.' as what,
  format('revoke %I from frames_service;', parent.rolname) as mend
from service
join pg_auth_members on member = service.oid
join pg_roles as parent on parent.oid = roleid
union all
select 'advice' as severity, 'frames_service owns ' || relname || ', and so may change or drop it.' as what,
  format(E'alter %s public.%I owner to %s;\nselect service_may(''frames_service'');', case relkind when 'v' then 'view' else 'table' end, relname,
    (select relowner::regrole from pg_class as known where known.oid = to_regclass('public.index_generation'))) as mend
from owned
union all
select 'wrong' as severity, 'frames_service has synchronous_commit off: a crash can undo charges that were made.' as what,
  'alter role frames_service reset synchronous_commit;' as mend
from service
where 'synchronous_commit=off' = any (settings)
union all
select 'advice' as severity, 'frames_service has no ' || name || ': a statement that nobody waits for any more goes on.' as what,
  format('alter role frames_service set %s = %L;', name, '15s') as mend
from service
cross join unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name
where not exists (select from unnest(settings) as each where each ~ ('^' || name || '=.*[1-9]'))

-- console_role: the settings of the sessions of frames_console, and its rights beyond this database.
-- A page waits ten seconds for the database at most. A number without a unit is in milliseconds. Check console_grants
-- says whether the role is there and can log in.
with console as (  -- the role of the web app, with the settings of its sessions
  select pg_roles.*, array(
    select unnest(setconfig) from pg_db_role_setting
    where setrole = pg_roles.oid and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  ) as settings
  from pg_roles
  where rolname = 'frames_console'
), caller as (  -- who may not change roles is told who may
  select case when rolsuper or rolcreaterole then '' else E'-- A superuser runs this:\n' end as changes_roles
  from pg_roles
  where rolname = current_user
), made as (  -- settings given to the role, here or in all databases
  select split_part(setting, '=', 1) as name, substring(setting from '=(.*)') as value,
    case when setdatabase = 0 then '' else format(' in database %I', current_database()) end as place
  from console
  join pg_db_role_setting on setrole = console.oid and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  cross join unnest(setconfig) as setting
)
select 'wrong' as severity,
  case made.name
    when 'search_path' then 'frames_console has search_path ' || value || ': a table is not found, or another of its name is.'
    when 'default_transaction_read_only' then 'frames_console reads only: nobody can sign in, and no key can be minted or revoked.'
    when 'synchronous_commit' then 'frames_console has synchronous_commit off: a crash can undo the revocation of a key.'
    else 'frames_console has ' || made.name || ' off: its plans are not those that sql/web/ was measured with.'
  end as what,
  changes_roles || format('alter role frames_console%s reset %s;', place, made.name) as fix
from made, caller
where case
  when made.name = 'search_path' then replace(value, ' ', '') not in ('public', '"$user",public')
  when made.name = 'synchronous_commit' then lower(value) in ('off', 'false', 'no', '0')
  when made.name = 'default_transaction_read_only' then value::boolean
  when made.name like 'enable\_%' then not value::boolean
end
union all
select 'wrong' as severity,
  'frames_console has statement_timeout ' || value || ': statements are ended that a page still waits for, ten seconds at most.' as what,
  changes_roles || format('alter role frames_console%s set statement_timeout = ''15s'';', place) as fix
from made, caller
where made.name = 'statement_timeout'
  and case when value ~ '^\d+$' then value::int * interval '1 ms' else value::interval end between interval '1 ms' and interval '9999 ms'
union all
select 'advice' as severity, 'frames_console has no ' || name || ': a statement that nobody waits for any more goes on.' as what,
  changes_roles || format('alter role frames_console set %s = %L;', name, '15s') as fix
from console, caller
cross join unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name
where not exists (select from unnest(settings) as each where each ~ ('^' || name || '=.*[1-9]'))
union all
select 'advice' as severity, 'frames_console may do more than serve the web app: ' || concat_ws(', ',
    case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
    case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end) || '.' as what,
  changes_roles || 'alter role frames_console nocreaterole nocreatedb noreplication nobypassrls;' as fix
from console, caller
where rolcreaterole or rolcreatedb or rolreplication or rolbypassrls

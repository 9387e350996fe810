-- roles: whether the roles of the program can log in, what else they are, and how their sessions are set.
--   $1 service  int  connections that one process of the service opens as frames_service
--   $2 console  int  those that its web app opens as frames_console
-- A call and a page wait ten seconds for the database at most. A number without a unit is in milliseconds.
with here as (  -- this database, and the owner of its tables
  select pg_database.oid as id, datname, datdba, datconnlimit, (select relowner from pg_class where oid = to_regclass('public.migration')) as owner
  from pg_database where datname = current_database()
), caller as (  -- who may not change roles, or the database, is told who may
  select case when rolsuper or rolcreaterole then '' else E'-- A superuser runs this:\n' end as changes_roles,
    case when rolsuper or pg_has_role(datdba, 'USAGE') then '' else E'-- The owner of the database, or a superuser, runs this:\n' end as changes_database
  from pg_roles, here
  where rolname = current_user
), task (name, part, connections) as (  -- what cannot work without a role
  values ('frames_service', 'the service', $1::int), ('frames_console', 'the web app', $2::int), ('frames_analyst', null, null)
), role as (  -- one row per role, with the owner of the tables
  select pg_roles.*, part, connections, pg_roles.oid = here.owner as is_owner
  from pg_roles
  cross join here
  left join task on task.name = rolname
  where task.name is not null or pg_roles.oid = here.owner
), setting as (  -- one row per setting of the sessions of a role in this database: the nearest place counts
  select distinct on (rolname, each.name) rolname, is_owner, part, each.name, each.value,
    case when setrole = 0 and setdatabase = 0 then 'alter role all' when setrole = 0 then format('alter database %I', datname)
      when setdatabase = 0 then format('alter role %I', rolname) else format('alter role %I in database %I', rolname, datname) end as place,
    case when setrole = 0 and setdatabase <> 0 then changes_database else changes_roles end as first,
    case when each.name = 'statement_timeout' then
      case when each.value ~ '^\d+$' then each.value::int * interval '1 ms' else each.value::interval end end as bound
  from role
  cross join here
  cross join caller
  join pg_db_role_setting on setrole in (role.oid, 0) and setdatabase in (here.id, 0)
  cross join lateral (
    select split_part(pair, '=', 1) as name, substring(pair from '=(.*)') as value from unnest(setconfig) as pair
  ) as each
  order by rolname, each.name, setrole <> 0 desc, setdatabase <> 0 desc
), due (name, setting, better, severity, what) as (  -- settings that roles.sql gives to roles
  values
    ('frames_service', 'statement_timeout', '15s', 'advice', 'a statement that nobody waits for any more goes on'),
    ('frames_service', 'idle_in_transaction_session_timeout', '15s', 'advice', 'a transaction that nobody waits for any more stays open'),
    ('frames_console', 'statement_timeout', '15s', 'advice', 'a statement that nobody waits for any more goes on'),
    ('frames_console', 'idle_in_transaction_session_timeout', '15s', 'advice', 'a transaction that nobody waits for any more stays open'),
    ('frames_analyst', 'statement_timeout', '2min', 'wrong', 'an import waits for its statements without an end'),
    ('frames_analyst', 'idle_in_transaction_session_timeout', '5min', 'wrong', 'an import waits for its transactions without an end'),
    ('frames_analyst', 'default_transaction_read_only', 'on', 'wrong', 'a slip of an analyst may write'),
    ('frames_analyst', 'search_path', 'analyst, public', 'advice', 'a view is found by the name of its schema only'),
    ('frames_analyst', 'jit', 'off', 'advice', 'compiling a statement takes longer than running it')
), fault (severity, what, fix) as (  -- one row per fault
  select 'wrong', rolname || ' may not log in: ' || part || ' cannot start.', changes_roles || format('alter role %I login;', rolname)
  from role, caller where part is not null and not rolcanlogin
  union all
  select 'wrong', rolname || ' may log in until ' || rolvaliduntil || ' only, which is past: ' || part || ' cannot start.',
    changes_roles || format('alter role %I valid until ''infinity'';', rolname)
  from role, caller where part is not null and rolvaliduntil < now()
  union all
  select 'wrong', rolname || ' may open ' || rolconnlimit || ' connections, one process opens ' || connections || ': ' || part || ' cannot start.',
    changes_roles || format('alter role %I connection limit -1;', rolname)
  from role, caller where part is not null and rolconnlimit >= 0 and rolconnlimit < connections
  union all
  select 'wrong', rolname || ' may not connect to database ' || datname || ': ' || part || ' cannot start.',
    changes_database || format('grant connect on database %I to %I;', datname, rolname)
  from role, here, caller where part is not null and not has_database_privilege(role.oid, here.id, 'CONNECT')
  union all
  select 'wrong', 'Database ' || datname || ' takes ' || datconnlimit || ' connections, one process of the service opens ' || $1::int || '.',
    changes_database || format('alter database %I connection limit -1;', datname)
  from here, caller where datconnlimit >= 0 and datconnlimit < $1::int
  union all
  select 'advice', rolname || ' may open any number of connections: the service may find none left.',
    changes_roles || format('alter role %I connection limit 20;', rolname)
  from role, caller where rolname = 'frames_analyst' and rolconnlimit < 0
  union all
  select case when rolsuper or rolcreaterole or rolreplication or rolbypassrls then 'wrong' else 'advice' end,
    rolname || ' may do more than it needs: ' || concat_ws(', ', case when rolsuper then 'superuser' end,
      case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
      case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end) || '.',
    changes_roles || format('alter role %I nosuperuser nocreaterole nocreatedb noreplication nobypassrls;', rolname)
  from role, caller
  where rolname like 'frames\_%' and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
  union all
  select case when rolname <> 'frames_service' or is_mighty then 'wrong' else 'advice' end,
    rolname || ' is a member of ' || parent || ', and may do what that may.', changes_roles || format('revoke %I from %I;', parent, rolname)
  from role
  cross join caller
  cross join lateral (
    select parent.rolname as parent, exists (
      select from pg_roles as mighty, here
      where pg_has_role(parent.oid, mighty.oid, 'MEMBER') and (mighty.rolsuper or mighty.oid = owner or mighty.rolname in (
        'pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'frames_console'
      ))
    ) as is_mighty
    from pg_auth_members
    join pg_roles as parent on parent.oid = pg_auth_members.roleid
    where member = role.oid
  ) as membership
  where not is_owner
  union all
  select 'wrong',
    case name
      when 'search_path' then rolname || ' has search_path ' || value || ': a table is not found, or another of its name is.'
      when 'default_transaction_read_only' then rolname || ' reads only: no charge can be written, nobody can sign in, and no key can be revoked.'
      when 'synchronous_commit' then rolname || ' has synchronous_commit off: a crash can undo charges that were made, and the revocation of a key.'
      else rolname || ' has ' || name || ' off: its plans are not those that sql/ was measured with.'
    end,
    first || format('%s reset %s;', place, name)
  from setting
  where part is not null and case
    when name = 'search_path' then replace(value, ' ', '') not in ('public', '"$user",public')
    when name = 'synchronous_commit' then lower(value) in ('off', 'false', 'no', '0')
    when name = 'default_transaction_read_only' then value::boolean
    when name like 'enable\_%' then not value::boolean
  end
  union all
  select 'wrong', rolname || ' has statement_timeout ' || value || ': statements are ended that ' || part || ' still waits for, ten seconds at most.',
    first || format('%s set statement_timeout = ''15s'';', place)
  from setting where part is not null and bound between interval '1 ms' and interval '9999 ms'
  union all
  select 'advice', rolname || ' has statement_timeout ' || value || ': a fix, an index or a vacuum that is run by hand ends there.',
    first || format('%s reset statement_timeout;', place)
  from setting where is_owner and bound > interval '0'
  union all
  select 'advice', rolname || ' has ' || name || ' ' || value || ': the service asks for ' || asked || ', and a pooler may drop that.',
    first || format('%s set %s = %s;', place, name, asked)
  from setting
  join (values ('plan_cache_mode', 'force_generic_plan'), ('jit', 'off')) as wanted (asked_name, asked) on asked_name = name
  where (part is not null or is_owner)
    and case name when 'jit' then value::boolean else value <> asked end
  union all
  select due.severity, rolname || ' has no ' || due.setting || ' of ' || due.better || ' or the like: ' || due.what || '.',
    changes_roles || format('alter role %I set %s = %s;', rolname, due.setting, case due.setting when 'search_path' then better else quote_literal(better) end)
  from due
  join role on rolname = due.name
  cross join caller
  where not exists (
    select from setting
    where setting.rolname = due.name and setting.name = due.setting and case
      when due.setting like '%timeout' then value ~ '[1-9]'
      when due.setting = 'search_path' then value ~ '^"?analyst\y'
      else value::boolean = due.better::boolean
    end
  )
  union all
  select 'wrong', 'Tables made from now on are readable by ' || case when grantee = 0 then 'everyone' else 'frames_analyst' end || '.',
    format('alter default privileges for role %I%s revoke all on tables from %s;', owner.rolname, ' in schema ' || nspname,
      case when grantee = 0 then 'public' else 'frames_analyst' end)
  from pg_default_acl
  join pg_roles as owner on owner.oid = defaclrole
  left join pg_namespace on pg_namespace.oid = defaclnamespace
  cross join lateral aclexplode(defaclacl) as granted
  where defaclobjtype = 'r' and (grantee = 0 or grantee = to_regrole('frames_analyst')) and coalesce(nspname, 'public') in ('public', 'staging')
)
select 'unchecked' as severity, 'There is no role ' || string_agg(name, ', ' order by name) || '; migrations/roles.sql makes it.' as what, '' as fix
from task
where to_regrole(name) is null
having count(*) > 0
union all
select severity as severity, what as what, fix as fix from fault

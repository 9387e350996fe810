-- strangers: what every role may do in this database: connect, make large objects, hold the lock of "migrate".
-- A restore makes a database that everyone may connect to: pg_dump leaves out the rights on the database itself.
with here as (  -- this database, with its rights
  select datname, datdba, coalesce(datacl, acldefault('d', datdba)) as acl from pg_database where datname = current_database()
), open_to_all as (  -- the rights that every role has on it; no row without any
  select datname, datdba, string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges
  from here
  cross join lateral aclexplode(acl) as granted
  where granted.grantee = 0
  group by datname, datdba
)
select 'wrong' as severity, 'Every role of this server may ' || replace(privileges, 'temporary', 'make temporary tables')
    || ' in database ' || datname || '.' as what,
  -- The same statements as in migrations/roles.sql.
  case when pg_has_role(datdba, 'USAGE') then '' else E'-- The owner of the database, or a superuser, runs this:\n' end
    || format(E'grant connect on database %I to %s;\n', datname, (
      select string_agg(name, ', ' order by name)
      from unnest(array['frames_service', 'frames_console', 'frames_analyst']) as name where to_regrole(name) is not null
    ))
    || coalesce(format(E'grant connect, create, temporary on database %I to %s;\n', datname, to_regrole('frames_owner')), '')
    || format('revoke all on database %I from public;', datname) as fix
from open_to_all
where exists (select from pg_roles where rolname = 'frames_service')
union all
select 'advice' as severity, 'Every role here may make large objects, or hold the lock of "migrate".' as what,
  '-- A superuser runs this:' || string_agg(format(E'\nrevoke execute on function %s from public;', pg_proc.oid::regprocedure)
    || case when proname like '%lock%' then format(E'\ngrant execute on function %s to frames_owner, frames_service;', pg_proc.oid::regprocedure) else '' end, '') as fix
from pg_proc
cross join lateral aclexplode(coalesce(proacl, acldefault('f', proowner))) as granted
where pronamespace = 'pg_catalog'::regnamespace and granted.grantee = 0
  and proname ~ '^(lo_creat|lo_create|lo_from_bytea|lo_put|lowrite|pg_(try_)?advisory_(xact_)?lock(_shared)?)$'
  and to_regrole('frames_service') is not null and to_regrole('frames_owner') is not null
having count(*) > 0

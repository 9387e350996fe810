-- strangers: whether every role of this server may connect to this database.
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

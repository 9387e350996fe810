-- strangers: whether every role of this server may connect to this database.
-- A restore makes a database that everyone may connect to: pg_dump leaves out the rights on the database itself.
with here as (  -- this database, with its rights
  select datname, datdba, coalesce(datacl, acldefault('d', datdba)) as acl from pg_database where datname = current_database()
), open_to_all as (  -- the rights that every role has on it; no row without any
  select datname, string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges
  from here
  cross join lateral aclexplode(acl) as granted
  where granted.grantee = 0
  group by datname
)
select 'wrong' as severity, 'Every role of this server may ' || replace(privileges, 'temporary', 'make temporary tables')
    || ' in database ' || datname || '.' as what,
  format(E'-- A superuser runs this, after every restore:\npsql -X -d %I -f migrations/roles.sql', datname) as fix
from open_to_all
where exists (select from pg_roles where rolname = 'frames_service')

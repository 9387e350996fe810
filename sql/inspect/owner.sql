-- owner: the owner of the tables, the role of this session and whether it has the owner's rights, and the program's roles.
select relowner::regrole::text as owner, current_user::text as role, pg_has_role(relowner, 'USAGE') as "isOwner",
  has_table_privilege(pg_class.oid, 'SELECT') as "readsMigrations",
  array(select rolname::text from pg_roles where rolname in ('frames_service', 'frames_console', 'frames_analyst')) as roles
from pg_class
where oid = 'public.migration'::regclass

-- owner: the role that owns the tables, the role of this session, whether the session has the rights of the owner, and
-- the roles of the program that this server has.
select relowner::regrole::text as owner, current_user::text as role, pg_has_role(relowner, 'USAGE') as "isOwner",
  array(select rolname::text from pg_roles where rolname in ('frames_service', 'frames_console', 'frames_analyst')) as roles
from pg_class
where oid = 'public.migration'::regclass

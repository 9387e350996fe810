-- owner: the role that owns the tables, the role of this session, and whether the session has the rights of the owner.
select relowner::regrole::text as owner, current_user::text as role, pg_has_role(relowner, 'USAGE') as "isOwner"
from pg_class
where oid = 'public.migration'::regclass

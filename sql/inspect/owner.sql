-- owner: the role that owns the tables, and whether this session has its rights.
select relowner::regrole::text as owner, pg_has_role(relowner, 'USAGE') as "isOwner"
from pg_class
where oid = 'public.migration'::regclass

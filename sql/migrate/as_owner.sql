-- as_owner: works as the role that owns the tables, where they are there and the session may be that role.
select set_config('role', rolname, false) as role
from pg_class
join pg_roles on pg_roles.oid = relowner
where pg_class.oid = to_regclass('public.organisation')
  and rolname <> current_user
  and pg_has_role(relowner, 'member')

-- public_schema: whether anyone may make objects in schema public, such as a function that replaces another.
select 'wrong' as severity, 'Anyone may create objects in schema public.' as what,
  'revoke create on schema public from public;' as fix
from pg_namespace
cross join lateral aclexplode(nspacl) as granted
where nspname = 'public' and granted.grantee = 0 and granted.privilege_type = 'CREATE'

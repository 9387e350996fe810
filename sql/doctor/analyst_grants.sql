-- analyst_grants: rights of frames_analyst beyond reading schema analyst and the styles of QGIS.
-- Everyone may use the functions and views of PostGIS.
with analyst as (  -- the role of analysts
  select oid from pg_roles where rolname = 'frames_analyst'
), held as (  -- one row per right on a table, a view or a column
  select pg_class.oid as relation, granted.grantee, granted.privilege_type as privilege
  from pg_class
  cross join analyst
  cross join lateral aclexplode(relacl) as granted
  where granted.grantee in (analyst.oid, 0)
  union
  select attrelid, granted.grantee, granted.privilege_type
  from pg_attribute
  cross join analyst
  cross join lateral aclexplode(attacl) as granted
  where granted.grantee in (analyst.oid, 0)
), beyond as (  -- one row per relation with rights that an analyst does not need
  select relation::regclass as relation, bool_or(grantee = 0) as is_everyones, string_agg(distinct lower(privilege), ', ') as privileges
  from held
  join pg_class on pg_class.oid = relation
  join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ('public', 'analyst', 'staging')
    and not (privilege = 'SELECT' and (nspname = 'analyst' or relation = to_regclass('public.layer_styles')))
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = relation and deptype = 'e')
  group by relation
)
select 'unchecked' as severity, 'There is no role frames_analyst; migrations/roles.sql makes it.' as what, '' as fix
where not exists (select from analyst)
union all
select 'wrong' as severity, 'frames_analyst may ' || privileges || ' ' || relation || case when is_everyones then ', as everyone may' else '' end || '.' as what,
  format(E'revoke all on %s from frames_analyst, public;\nselect analyst_may(''frames_analyst'');', relation) as fix
from beyond
union all
select 'wrong' as severity, 'frames_analyst is a member of ' || parent.rolname || ', and may do what that may.' as what,
  case when caller.rolsuper or caller.rolcreaterole then '' else E'-- A superuser runs this:\n' end
    || format('revoke %I from frames_analyst;', parent.rolname) as fix
from analyst
join pg_auth_members on member = analyst.oid
join pg_roles as parent on parent.oid = roleid
cross join (select * from pg_roles where rolname = current_user) as caller
union all
select 'wrong' as severity, 'frames_analyst is a superuser, and may read and change everything.' as what,
  E'-- A superuser runs this:\nalter role frames_analyst nosuperuser;' as fix
from pg_roles
where rolname = 'frames_analyst' and rolsuper
union all
select 'wrong' as severity, 'Tables made from now on are readable by ' || case when granted.grantee = 0 then 'everyone' else 'frames_analyst' end || '.' as what,
  format('alter default privileges for role %I%s revoke all on tables from %s;', owner.rolname, ' in schema ' || nspname,
    case when granted.grantee = 0 then 'public' else 'frames_analyst' end) as fix
from pg_default_acl
join pg_roles as owner on owner.oid = defaclrole
left join pg_namespace on pg_namespace.oid = defaclnamespace
cross join analyst
cross join lateral aclexplode(defaclacl) as granted
where defaclobjtype = 'r' and granted.grantee in (analyst.oid, 0) and coalesce(nspname, 'public') in ('public', 'staging')

-- service_grants: rights that frames_service needs and lacks, and rights that it has beyond those.
-- Function service_may grants all that it needs, and this check reads the text of that function.
with said as (  -- one row per grant in the text of service_may
  select privileges, object
  from pg_proc
  cross join lateral regexp_matches(prosrc, '''grant (.+?) on (.+?) to %s''', 'g') as each
  cross join lateral (select each[1] as privileges, each[2] as object) as named
  where pg_proc.oid = to_regprocedure('public.service_may(regrole)')
), needed as (  -- one row per privilege, with its column where it is for one
  select upper(part[1]) as privilege, part[3] as col, object
  from said
  cross join lateral regexp_matches(privileges, '(\w+)( \((\w+)\))?', 'g') as part
), wanted as (  -- one row per privilege and relation
  select privilege, col, pg_class.oid as relation
  from needed
  join pg_class on relkind in ('r', 'v', 'm', 'p') and (
    pg_class.oid = to_regclass(substring(object from '^[\w.]+$'))
    or (  -- each table of ours; others may have theirs beside them
      object = '%s' and relkind in ('r', 'v') and relnamespace = 'public'::regnamespace
      and relowner = (select relowner from pg_class where oid = to_regclass('public.organisation'))
      and relname <> all (people_tables())
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    )
  )
), service as (  -- the role of the service
  select oid from pg_roles where rolname = 'frames_service'
), lacking as (  -- one row per right that the role lacks
  select privilege || coalesce(' (' || col || ')', '') || ' on ' || relation::regclass as what
  from wanted
  cross join service
  where not case when col is null then has_table_privilege(service.oid, relation, privilege)
    else has_column_privilege(service.oid, relation, col, privilege) end
  union all
  select privilege || ' on ' || object
  from needed
  cross join service
  where object ~ '^schema \w+$' and not has_schema_privilege(service.oid, substring(object from '^schema (\w+)$'), privilege)
  union all
  select upper(privileges) || ' on ' || object
  from said
  cross join service
  where object like 'function %' and not has_function_privilege(service.oid, to_regprocedure(substring(object from '^function (.*)$')), privileges)
), held as (  -- one row per right that the role has on a relation or a column
  select pg_class.oid as relation, null as col, granted.privilege_type as privilege
  from pg_class
  cross join service
  cross join lateral aclexplode(relacl) as granted
  where granted.grantee in (service.oid, 0) and pg_class.oid >= 16384
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  union all
  select attrelid, attname, granted.privilege_type
  from pg_attribute
  cross join service
  cross join lateral aclexplode(attacl) as granted
  where granted.grantee in (service.oid, 0) and attrelid >= 16384
)
select 'unchecked' as severity, 'There is no role frames_service; migrations/roles.sql makes it.' as what, '' as fix
where not exists (select from service)
union all
select 'wrong' as severity, 'frames_service lacks ' || string_agg(what, ', ' order by what) || '.' as what,
  'select service_may(''frames_service'');' as fix
from lacking
having count(*) > 0
union all
select 'wrong' as severity, 'frames_service may ' || lower(privilege) || ' ' || relation::regclass || coalesce(' (' || col || ')', '')
    || ', which it has no need of.' as what,
  format('revoke %s%s on %s from frames_service, public;', lower(privilege), coalesce(' (' || quote_ident(col) || ')', ''), relation::regclass) as fix
from held
where (privilege <> 'SELECT' or relation in (select to_regclass('public.' || name) from unnest(people_tables()) as name)) and not exists (
  select from wanted
  where wanted.relation = held.relation and wanted.privilege = held.privilege and wanted.col is not distinct from held.col
)

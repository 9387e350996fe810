-- console_grants: rights that frames_console needs and lacks, and rights that it has beyond those.
-- Function console_may grants all that it needs, and this check reads the text of that function.
with said as (  -- one row per grant in the text of console_may
  select privileges, object
  from pg_proc
  cross join lateral regexp_matches(prosrc, '''grant (.+?) on (.+?) to %s''', 'g') as each
  cross join lateral (select each[1] as privileges, each[2] as object) as named
  where pg_proc.oid = to_regprocedure('public.console_may(regrole)')
), wanted as (  -- one row per privilege and relation, with its column where it is for one
  select upper(part[1]) as privilege, part[3] as col, to_regclass('public.' || object) as relation
  from said
  cross join lateral regexp_matches(privileges, '(\w+)( \((\w+)\))?', 'g') as part
  where object ~ '^\w+$'
), console as (  -- the role of the web app
  select * from pg_roles where rolname = 'frames_console'
), caller as (  -- who may not change roles is told who may
  select case when rolsuper or rolcreaterole then '' else E'-- A superuser runs this:\n' end as changes_roles
  from pg_roles
  where rolname = current_user
), lacking as (  -- one row per right that the role lacks
  select privilege || coalesce(' (' || col || ')', '') || ' on ' || relation as what
  from wanted
  cross join console
  where not case when col is null then has_table_privilege(console.oid, relation, privilege)
    else has_column_privilege(console.oid, relation, col, privilege) end
  union all
  select 'USAGE on schema public' from console where not has_schema_privilege(oid, 'public', 'USAGE')
), held as (  -- one row per right that the role has on a relation or a column
  select pg_class.oid as relation, null as col, granted.privilege_type as privilege
  from pg_class
  cross join console
  cross join lateral aclexplode(relacl) as granted
  where granted.grantee in (console.oid, 0) and pg_class.oid >= 16384
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  union all
  select attrelid, attname, granted.privilege_type
  from pg_attribute
  cross join console
  cross join lateral aclexplode(attacl) as granted
  where granted.grantee in (console.oid, 0) and attrelid >= 16384
)
select 'unchecked' as severity, 'There is no role frames_console; migrations/roles.sql makes it.' as what, '' as fix
where not exists (select from console)
union all
select 'wrong' as severity, 'frames_console lacks ' || string_agg(what, ', ' order by what) || '.' as what,
  'select console_may(''frames_console'');' as fix
from lacking
having count(*) > 0
union all
select 'wrong' as severity, 'frames_console may ' || lower(privilege) || ' ' || relation::regclass || coalesce(' (' || col || ')', '')
    || ', which it has no need of.' as what,
  format(E'revoke %s%s on %s from frames_console, public;\nselect console_may(''frames_console'');', lower(privilege),
    coalesce(' (' || quote_ident(col) || ')', ''), relation::regclass) as fix
from held
where not exists (
  select from wanted
  where wanted.relation = held.relation and wanted.privilege = held.privilege and wanted.col is not distinct from held.col
)
union all
select 'wrong' as severity, 'frames_console is a member of ' || parent.rolname || ', and may do what that may.' as what,
  changes_roles || format('revoke %I from frames_console;', parent.rolname) as fix
from console
join pg_auth_members on member = console.oid
join pg_roles as parent on parent.oid = roleid
cross join caller
union all
select 'wrong' as severity, 'frames_console is a superuser, and may read and change everything.' as what,
  changes_roles || 'alter role frames_console nosuperuser;' as fix
from console, caller
where rolsuper
union all
select 'wrong' as severity, 'frames_console may not log in: the web app cannot start.' as what,
  changes_roles || 'alter role frames_console login;' as fix
from console, caller
where not rolcanlogin
union all
select 'wrong' as severity, 'frames_console may not connect to database ' || current_database() || '.' as what,
  changes_roles || format('grant connect on database %I to frames_console;', current_database()) as fix
from console, caller
where not has_database_privilege(console.oid, current_database(), 'CONNECT')

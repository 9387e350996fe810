-- analyst_views: views of datasets that are missing, left over, incomplete or closed, and views of others that show too much.
-- A view without a style is found too. A view of somebody else shows too much where a role reads by it a table that the
-- views of the program do not show, such as api_key.
-- Check "schema" has the other views.
with recursive due (name) as (  -- one row per view of a dataset
  select analyst_name(layer_id) from dataset
), there as (  -- one row per view that it has
  select oid, relname as name from pg_class where relnamespace = to_regnamespace('analyst') and relkind = 'v'
), lacking as (  -- one row per missing view
  select name from due where name not in (select name from there)
), left_over as (  -- one row per view of a dataset that is gone
  select name from there where name like 'lyr\_%' and name not in (select name from due)
), attributes as (  -- one row per attribute, with its column: a view has those of the first 1,500, see analyst_baseline
  select layer_id, name, column_name, row_number() over (partition by layer_id order by place) as place
  from (
    select layer_id, unnest(array_agg(name order by place)) as name, unnest(array_agg(place order by place)) as place,
      unnest(analyst_columns(array_agg(name order by place), analyst_taken('frames'))) as column_name
    from attribute
    where layer_id in (select layer_id from dataset where kind = 'frames')
    group by layer_id
  ) as named
), unshown as (  -- one row per view that lacks attributes, with their number and the first of them
  select layer_id, count(*) as attributes, (array_agg(attributes.name order by place))[1] as first
  from attributes
  join there on there.name = analyst_name(layer_id)
  where place <= 1500 and not exists (select from pg_attribute where attrelid = there.oid and attname = column_name and not attisdropped)
  group by layer_id
), shut as (  -- one row per role that may use the schema, with the number of views that it cannot read
  select rolname, count(*) as views
  from pg_namespace
  cross join lateral aclexplode(nspacl) as granted
  join pg_roles on pg_roles.oid = granted.grantee
  join there on there.name in (select analyst_names())
  where nspname = 'analyst' and granted.privilege_type = 'USAGE' and not has_table_privilege(granted.grantee, there.oid, 'SELECT')
  group by rolname
), reads (view, relation) as (  -- one row per table that a view of the schema reads, by way of other views too
  select there.oid, there.oid from there
  union
  select reads.view, pg_depend.refobjid
  from reads
  join pg_rewrite on ev_class = reads.relation
  join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid and refclassid = 'pg_class'::regclass
), shown_to_all as (  -- the tables that the views of the program show to analysts
  select distinct relation from reads join there on there.oid = view where name in (select analyst_names())
), exposing as (  -- one row per view of somebody else and role that reads there what the views of the program do not show
  select there.oid, granted.grantee, string_agg(distinct relation::regclass::text, ', ') as tables
  from there
  join pg_class on pg_class.oid = there.oid
  cross join lateral aclexplode(relacl) as granted
  join reads on view = there.oid and relation <> view
  where name not in (select analyst_names()) and granted.privilege_type = 'SELECT' and granted.grantee <> relowner
    and relation not in (select relation from shown_to_all)
    and (granted.grantee = 0 or not has_table_privilege(granted.grantee, relation, 'SELECT'))
  group by there.oid, granted.grantee
)
select 'wrong' as severity, 'Schema analyst lacks ' || string_agg(name, ', ' order by name) || '.' as what,
  'select analyst_views();' as fix
from lacking
having count(*) > 0
union all
select 'wrong' as severity, 'Schema analyst has views of datasets that are gone: ' || string_agg(name, ', ' order by name) || '.' as what,
  'select analyst_views();' as fix
from left_over
having count(*) > 0
union all
select 'wrong' as severity,
  format('View analyst.%I lacks %s attributes of its dataset, such as %s.', analyst_name(layer_id), attributes, first) as what,
  format('select analyst_dataset(%L);', layer_id) as fix
from unshown
union all
select 'wrong' as severity, format('%s may use schema analyst and cannot read %s of its views.', rolname, views) as what,
  'select analyst_grants();' as fix
from shut
union all
select 'wrong' as severity, 'QGIS finds no style of ' || string_agg(relname, ', ' order by relname) || '.' as what,
  'select analyst_views();' as fix
from pg_class
join pg_attribute on attrelid = pg_class.oid and attname = 'geom'
where relnamespace = to_regnamespace('analyst') and relkind = 'v' and (relname in (select name from due) or relname in ('frame', 'state', 'lga', 'ward'))
  and not exists (select from layer_styles where f_table_schema = 'analyst' and f_table_name = relname and owner = 'frames')
having count(*) > 0
union all
select 'wrong' as severity,
  format('View %s is not of the program, and shows %s what it reads of %s.', oid::regclass, case grantee when 0 then 'everyone' else grantee::regrole::text end, tables) as what,
  format(E'-- %s made it: ask what it is for.\nrevoke select on %s from %s;', (select relowner::regrole from pg_class where pg_class.oid = exposing.oid), oid::regclass,
    case grantee when 0 then 'public' else grantee::regrole::text end) as fix
from exposing

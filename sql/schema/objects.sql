-- objects: the tables, columns, indexes, constraints, triggers and views of schema public, as PostgreSQL writes them.
-- "npm run schema" keeps the rows of a new database in migrations/schema.json; the doctor compares a database with
-- those. A view is what the migrations make; the views of schema analyst follow the datasets, and check "analyst_views"
-- has them.
with relation as (  -- tables and views; table migration belongs to node-pg-migrate
  select pg_class.oid, relkind, pg_get_userbyid(relowner) as owner, quote_ident(relname) as name
  from pg_class
  where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace and relname <> 'migration'
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
), part (kind, relation_id, name, definition, state, about) as (  -- one row per object, with its comment
  select case relkind when 'r' then 'table' else 'view' end, oid, name, case relkind when 'v' then pg_get_viewdef(oid) else '' end, '', null
  from relation
  union all
  select 'column', attrelid, quote_ident(attname), case when attnotnull then 'not null' else '' end, '', null
  from pg_attribute
  join relation on relation.oid = attrelid and relkind = 'r'
  where attnum > 0 and not attisdropped
  union all
  select case when pg_constraint.oid is null then 'index' else 'unique' end, indrelid, quote_ident(relname),
    coalesce(pg_get_constraintdef(pg_constraint.oid), pg_get_indexdef(indexrelid)), '', obj_description(indexrelid, 'pg_class')
  from pg_index
  join pg_class on pg_class.oid = indexrelid
  left join pg_constraint on conindid = indexrelid and contype in ('p', 'u', 'x')
  union all
  select 'constraint', conrelid, quote_ident(conname), replace(pg_get_constraintdef(oid), ' NOT VALID', ''),
    case when convalidated then '' else 'not validated' end, obj_description(oid, 'pg_constraint')
  from pg_constraint
  where contype in ('c', 'f')
  union all
  select 'trigger', tgrelid, quote_ident(tgname), pg_get_triggerdef(oid),
    case when tgenabled in ('O', 'A') then '' else 'off' end, obj_description(oid, 'pg_trigger')
  from pg_trigger
  where not tgisinternal
), written as (  -- one row per object, with the name of its relation and its owner
  select kind, relation.name as relation, part.name, replace(definition, ' ON public.', ' ON ') as definition, state, about, owner
  from part
  join relation on relation.oid = relation_id
)
select kind as kind, relation as relation, name as name, definition as definition, state as state, owner as owner,
  case kind
    when 'index' then definition || ';'
    when 'unique' then format('alter table %s add constraint %s %s;', relation, name, definition)
    when 'constraint' then format('alter table %s add constraint %s %s;', relation, name, definition)
    when 'trigger' then definition || ';'
    when 'view' then format(E'create or replace view %s as\n%s', name, definition)
    when 'column' then format('alter table %s alter column %s set not null;', relation, name)
  end || case
    when about is null then ''
    when kind in ('index', 'unique') then format(E'\ncomment on index %s is %L;', name, about)
    else format(E'\ncomment on %s %s on %s is %L;', kind, name, relation, about)
  end as statement
from written
order by relation, kind, name

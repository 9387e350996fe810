-- objects: the objects of schemas public and analyst with their rights, as PostgreSQL writes them.
-- "npm run schema" keeps the rows of a new database in migrations/schema.json; check "schema" of the doctor compares a
-- database with those, in both directions. "statement" makes the object, and "removal" takes it away; a statement of a
-- function is its file in sql/functions/. "state" ends a sentence about what is wrong with an object whatever the
-- migrations make, and "repair" fixes that. Views of datasets follow the datasets: check "analyst_views" has them, and
-- here they have a state only. Objects of extensions belong to others.
with extended as (  -- the objects of extensions
  select classid, objid from pg_depend where deptype = 'e'
), relation as (  -- tables, views and sequences
  select pg_class.*, pg_class.oid::regclass::text as name, nspname as schema
  from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'v', 'S') and nspname in ('public', 'analyst')
    and not exists (select from extended where classid = 'pg_class'::regclass and objid = pg_class.oid)
), ours as (  -- those whose parts are compared; table migration belongs to node-pg-migrate
  select * from relation where schema = 'public' and relname <> 'migration'
), routine as (  -- functions
  select pg_proc.*, pg_proc.oid::regprocedure::text as name, case nspname when 'analyst' then 'analyst.' else '' end || proname as relation
  from pg_proc
  join pg_namespace on pg_namespace.oid = pronamespace
  where nspname in ('public', 'analyst')
    and not exists (select from extended where classid = 'pg_proc'::regclass and objid = pg_proc.oid)
), held (relation, privilege, grantee) as (  -- one row per right of everyone or of a role of the program
  select name, privilege_type, grantee
  from relation
  cross join lateral aclexplode(coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))) as granted
  where schema = 'public' or privilege_type <> 'SELECT' or grantee = 0
  union all
  select name, format('%s (%I)', privilege_type, attname), grantee
  from relation
  join pg_attribute on attrelid = relation.oid
  cross join lateral aclexplode(attacl) as granted
  union all
  select 'function ' || name, privilege_type, grantee
  from routine
  cross join lateral aclexplode(coalesce(proacl, acldefault('f', proowner))) as granted
  union all
  select 'schema ' || nspname, privilege_type, grantee
  from pg_namespace
  cross join lateral aclexplode(coalesce(nspacl, acldefault('n', nspowner))) as granted
  where nspname in ('public', 'analyst') and not (nspname = 'public' and grantee = 0 and privilege_type = 'USAGE')
), part (kind, relation, name, definition, statement, removal, state, repair, owner, about) as (  -- one row per object
  select case relkind when 'r' then 'table' when 'v' then 'view' else 'sequence' end, name, name,
    case relkind
      -- from PostgreSQL 18 on, the text of a view of one table is another
      when 'v' then case when schema = 'public' then pg_get_viewdef(oid) else (
        select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum) from pg_attribute where attrelid = relation.oid and attnum > 0
      ) end
      when 'S' then (
        select format('as %s start %s increment %s minvalue %s maxvalue %s%s', format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax,
          case when seqcycle then ' cycle' else ' no cycle' end)
        from pg_sequence where seqrelid = oid
      )
      else ''
    end,
    case
      when relkind = 'S' then format('create sequence if not exists %s;', name)
      when schema = 'analyst' then 'select analyst_views();'
      when relkind = 'v' then format(E'create or replace view %s as\n%s', name, pg_get_viewdef(oid))
    end,
    case relkind when 'v' then format('drop view %s;', name) end,
    case
      when relrowsecurity or relforcerowsecurity then 'has row security: frames_service sees the rows that a policy shows, or none.'
      when exists (select from pg_options_to_table(reloptions) where option_name = 'security_invoker' and option_value::boolean) then
        'reads its tables with the rights of its caller (security_invoker), who may not read them.'
    end,
    case
      when relkind = 'r' then format(E'alter table %s no force row level security;\nalter table %1$s disable row level security;', name)
      else format('alter view %s reset (security_invoker);', name)
    end,
    relowner, null
  from relation
  where relname <> 'migration'
  union all
  select 'schema', nspname, nspname, '', 'create schema analyst;', null, null, null, nspowner, null
  from pg_namespace where nspname = 'analyst'
  union all
  -- Sessions look into the schema of the name of their role before public.
  select 'schema', nspname, nspname, '', null, format('alter schema %I rename to %I;', nspname, nspname || '_elsewhere'), null, null, nspowner, null
  from pg_namespace
  where nspname in ('frames_owner', 'frames_service', 'frames_console', 'frames_analyst') and (
    exists (select from pg_class join ours using (relname) where pg_class.relnamespace = pg_namespace.oid)
    or exists (select from pg_proc join routine using (proname) where pg_proc.pronamespace = pg_namespace.oid)
  )
  union all
  select 'column', ours.name, quote_ident(attname),
    format_type(atttypid, atttypmod) || case when attcollation <> typcollation then ' collate ' || collname else '' end,
    format('alter table %s alter %I type %s using %s;', ours.name, attname,
      format_type(atttypid, atttypmod) || case when attcollation <> typcollation then format(' collate %I', collname) else '' end,
      case typname when 'geometry' then format('ST_SetSRID(%I, %s)', attname, postgis_typmod_srid(atttypmod)) else format('%I::%s', attname, format_type(atttypid, atttypmod)) end),
    format('alter table %s drop column %I;', ours.name, attname),
    case when attstattarget = 0 then 'has no statistics (target 0): the planner knows nothing of its values.' end,
    format(E'alter table %s alter %I set statistics -1;\nanalyze %1$s;', ours.name, attname), null, null
  from pg_attribute
  join ours on ours.oid = attrelid and relkind = 'r'
  join pg_type on pg_type.oid = atttypid
  left join pg_collation on pg_collation.oid = attcollation
  where attnum > 0 and not attisdropped
  union all
  select 'not null', ours.name, quote_ident(attname), '', format('alter table %s alter %I set not null;', ours.name, attname),
    format('alter table %s alter %I drop not null;', ours.name, attname), null, null, null, null
  from pg_attribute
  join ours on ours.oid = attrelid and relkind = 'r'
  where attnum > 0 and attnotnull and not attisdropped
  union all
  -- Check "stored_text" has the expressions of generated columns.
  select 'default', ours.name, quote_ident(attname), pg_get_expr(adbin, adrelid),
    format('alter table %s alter %I set default %s;', ours.name, attname, pg_get_expr(adbin, adrelid)),
    format('alter table %s alter %I drop default;', ours.name, attname), null, null, null, null
  from pg_attrdef
  join ours on ours.oid = adrelid
  join pg_attribute on attrelid = adrelid and attnum = adnum and attgenerated = ''
  union all
  select case when pg_constraint.oid is null then 'index' else 'unique' end, ours.name, quote_ident(pg_class.relname),
    coalesce(pg_get_constraintdef(pg_constraint.oid), replace(pg_get_indexdef(indexrelid), ' ON public.', ' ON ')),
    case when conname is null then replace(pg_get_indexdef(indexrelid), ' ON public.', ' ON ') || ';'
      else format('alter table %s add constraint %I %s;', ours.name, conname, pg_get_constraintdef(pg_constraint.oid)) end,
    case when conname is null then format('drop index %s;', indexrelid::regclass) else format('alter table %s drop constraint %I;', ours.name, conname) end,
    case when not indisvalid then 'is invalid: it is written to and never read.' end,
    format('reindex index concurrently %s;', indexrelid::regclass), null, obj_description(indexrelid, 'pg_class')
  from pg_index
  join ours on ours.oid = indrelid
  join pg_class on pg_class.oid = indexrelid
  left join pg_constraint on conindid = indexrelid and contype in ('p', 'u', 'x')
  union all
  select 'constraint', ours.name, quote_ident(conname), replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', ''),
    format('alter table %s add constraint %I %s;', ours.name, conname, replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', '')),
    format('alter table %s drop constraint %I;', ours.name, conname),
    case
      when off.tables is not null then 'is switched off: its triggers are disabled.'
      when not convalidated then 'does not hold for rows from before it.'
    end,
    coalesce(E'-- A superuser runs this:\n' || off.tables, format('alter table %s validate constraint %I;', ours.name, conname)), null,
    obj_description(pg_constraint.oid, 'pg_constraint')
  from pg_constraint
  join ours on ours.oid = conrelid
  cross join lateral (
    select string_agg(distinct format('alter table %s enable trigger all;', tgrelid::regclass), E'\n') as tables
    from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled not in ('O', 'A')
  ) as off
  where contype in ('c', 'f')
  union all
  select 'trigger', ours.name, quote_ident(tgname), replace(pg_get_triggerdef(pg_trigger.oid), ' ON public.', ' ON '),
    replace(pg_get_triggerdef(pg_trigger.oid), ' ON public.', ' ON ') || ';', format('drop trigger %I on %s;', tgname, ours.name),
    case when tgenabled not in ('O', 'A') then 'is switched off.' end, format('alter table %s enable trigger %I;', ours.name, tgname), null,
    obj_description(pg_trigger.oid, 'pg_trigger')
  from pg_trigger
  join ours on ours.oid = tgrelid
  where not tgisinternal
  union all
  select 'rule', ours.name, quote_ident(rulename), pg_get_ruledef(pg_rewrite.oid), null, format('drop rule %I on %s;', rulename, ours.name), null, null, null, null
  from pg_rewrite
  join ours on ours.oid = ev_class
  where rulename <> '_RETURN'
  union all
  select 'policy', ours.name, quote_ident(polname), '', null, format('drop policy %I on %s;', polname, ours.name), null, null, null, null
  from pg_policy
  join ours on ours.oid = polrelid
  union all
  select 'child', ours.name, inhrelid::regclass::text, '', null, format('alter table %s no inherit %s;', inhrelid::regclass, ours.name), null, null, null, null
  from pg_inherits
  join ours on ours.oid = inhparent
  union all
  -- The digest is that of the body.
  select 'function', relation, name, concat_ws(' ', '(' || pg_get_function_arguments(routine.oid) || ')', 'returns', pg_get_function_result(routine.oid),
      'language', lanname, case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
      'parallel', proparallel::text, case when proisstrict then 'strict' end, case when prosecdef then 'security definer' end,
      case when proleakproof then 'leakproof' end, 'set ' || array_to_string(proconfig, ', '), md5(concat(prosrc, pg_get_function_sqlbody(routine.oid)))),
    null, format('drop function %s;', name), null, null, proowner, null
  from routine
  join pg_language on pg_language.oid = prolang
  union all
  select 'grant', relation, lower(privilege) || ' to ' || coalesce(rolname, 'public'), '',
    format('grant %s on %s to %s;', lower(privilege), relation, coalesce(rolname, 'public')),
    format('revoke %s on %s from %s;', lower(privilege), relation, coalesce(rolname, 'public')), null, null, null, null
  from held
  left join pg_roles on pg_roles.oid = grantee
  where grantee = 0 or rolname in ('frames_service', 'frames_console', 'frames_analyst')
)
select kind as kind, relation as relation, name as name, definition as definition,
  statement || case
    when about is null then ''
    when kind in ('index', 'unique') then format(E'\ncomment on index %s is %L;', name, about)
    else format(E'\ncomment on %s %s on %s is %L;', kind, name, relation, about)
  end as statement,
  removal as removal, coalesce(state, '') as state, repair as repair, pg_get_userbyid(owner) as owner
from part
order by relation collate "C", kind, name collate "C"

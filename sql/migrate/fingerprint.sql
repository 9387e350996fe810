-- fingerprint: a hash of what each migrate puts in place: functions, views, and the rights on them and on tables.
with schemas as (  -- those that migrate fills
  select oid, nspname, nspacl from pg_namespace where nspname in ('public', 'analyst')
), part as (  -- one row per object
  select concat_ws(' ', 'function', nspname, pg_proc.oid, proname, prosrc, prosqlbody, proconfig, proacl) as text
  from pg_proc join schemas on schemas.oid = pronamespace
  union all
  select concat_ws(' ', 'relation', nspname, pg_class.oid, relname, relkind, relacl, ev_action) as text
  from pg_class join schemas on schemas.oid = relnamespace
  left join pg_rewrite on ev_class = pg_class.oid
  where relkind in ('r', 'v')
  union all
  select concat_ws(' ', 'schema', nspname, nspacl) as text
  from schemas
)
select md5(string_agg(md5(text), '' order by text collate "C")) as fingerprint
from part

-- staging_left: what is left of a build or an import that died. The next one removes it.
-- Asked only while no build or import is under way: schema staging is where they work.
select 'advice' as severity,
  'Schema staging is left of a build or an import that died: '
    || pg_size_pretty((select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = pg_namespace.oid and relkind = 'r'))
    as what,
  'drop schema staging cascade;' as fix
from pg_namespace
where nspname = 'staging'

-- staging_left: schema staging of a build or an import that died; the next one removes it.
-- The doctor makes this check only while no build or import is under way.
select 'advice' as severity,
  'Schema staging is left of a build or an import that died: '
    || pg_size_pretty((select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = pg_namespace.oid and relkind = 'r'))
    as what,
  'select staging_close();' as fix
from pg_namespace
where nspname = 'staging'

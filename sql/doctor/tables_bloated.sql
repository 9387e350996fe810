-- tables_bloated: tables at least twice as large as their rows need, and 8 MB larger.
-- The size is an estimate from statistics: a row is its columns, each rounded up by a byte or two, and 28 bytes. Check
-- "statistics" finds tables without any. Deleted rows leave the space.
with sized as (  -- one row per table, with its bytes and the bytes that its rows need
  select pg_class.oid, pg_class.reltuples as rows, pg_relation_size(pg_class.oid) as bytes,
    8192 * (1 + ceil(greatest(pg_class.reltuples, 0) * (28 + 8 * ceil(sum(avg_width * (1 - null_frac)) / 8.0)) / (8192 - 24))) as needed
  from pg_class
  join pg_stats on schemaname = 'public' and tablename = relname and not inherited
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'm')
  group by pg_class.oid, pg_class.reltuples
)
select 'advice' as severity,
  'Table ' || oid::regclass || ' has ' || pg_size_pretty(bytes) || ', its ' || rows || ' rows need about ' || pg_size_pretty(needed::bigint) || '.' as what,
  E'-- Nothing can read the table meanwhile. A build or an import makes the tables of the index anew while they are read.\n'
    || 'vacuum (full, analyze) ' || oid::regclass || ';' as fix
from sized
where rows >= 0 and bytes > 2 * needed and bytes - needed > 8 * 1024 * 1024

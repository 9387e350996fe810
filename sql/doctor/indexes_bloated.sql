-- indexes_bloated: indexes at least four times as large as their rows need, and 4 MB larger.
-- The size is an estimate from statistics: an entry is its columns and 12 bytes, rounded up to 8, and a page is filled
-- to 70 per cent. The box of a geometry takes 16 bytes. Indexes of expressions are left out.
with entry as (  -- one row per index, with its entries, its bytes and the width of an entry
  select indexrelid, indrelid, pg_class.reltuples as entries, pg_relation_size(indexrelid) as bytes,
    sum(case when typname = 'geometry' then 16 else coalesce(avg_width, attlen) end) as width
  from pg_index
  join pg_class on pg_class.oid = indexrelid and relnamespace = 'public'::regnamespace
  join pg_class as of_table on of_table.oid = indrelid
  join pg_attribute on attrelid = indrelid and attnum = any (indkey)
  join pg_type on pg_type.oid = atttypid
  left join pg_stats on schemaname = 'public' and tablename = of_table.relname and pg_stats.attname = pg_attribute.attname
  where indexprs is null and indpred is null and indisvalid
  group by indexrelid, indrelid, pg_class.reltuples
), needed as (  -- each index with the bytes that its entries need
  select *, 8192 * (2 + ceil(greatest(entries, 0) * (8 * ceil((12 + width) / 8.0)) / (8192 * 0.7))) as least from entry
)
select 'advice' as severity,
  'Index ' || indexrelid::regclass || ' has ' || pg_size_pretty(bytes) || ', its ' || entries || ' rows need about '
    || pg_size_pretty(least::bigint) || '.' as what,
  'reindex index concurrently ' || indexrelid::regclass || ';' as fix
from needed
where bytes > 4 * least and bytes - least > 4 * 1024 * 1024

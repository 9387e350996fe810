-- indexes_doubled: your own indexes whose columns are the first columns of another index.
--   $1 names  text[]  the indexes of the migrations
with plain as (  -- one row per index of columns alone, with all that decides what it can answer
  select indexrelid, indrelid, indisunique, relam, relname, relname = any ($1::text[]) as made, indkey::text || ' ' as keys,
    indclass::text || ' ' as classes, indcollation::text || ' ' as collations, indoption::text || ' ' as options
  from pg_index
  join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace and indexprs is null and indpred is null and indisvalid and indnatts = indnkeyatts
)
select distinct on (own.relname) 'advice' as severity,
  'Index ' || own.relname || ' (' || pg_size_pretty(pg_relation_size(own.indexrelid)) || ') does nothing that ' || other.relname
    || ' does not.' as what,
  'drop index if exists ' || own.indexrelid::regclass || ';' as fix
from plain as own
join plain as other on other.indrelid = own.indrelid and other.relam = own.relam and other.indexrelid <> own.indexrelid
  and starts_with(other.keys, own.keys) and starts_with(other.classes, own.classes)
  and starts_with(other.collations, own.collations) and starts_with(other.options, own.options)
where not own.made and not own.indisunique and (other.made or other.keys <> own.keys or other.relname < own.relname)
order by own.relname, other.made desc, other.relname

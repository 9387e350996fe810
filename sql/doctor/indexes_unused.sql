-- indexes_unused: your own indexes that no statement has read while others of the table were read 100,000 times.
--   $1 names  text[]  the indexes of the migrations
-- PostgreSQL counts since the table was made, and an import makes the tables of the frame index anew. A unique index
-- stays: it keeps a rule.
select 'advice' as severity,
  'Index ' || indexrelid::regclass || ' (' || pg_size_pretty(pg_relation_size(indexrelid)) || ') was never read, while '
    || relid::regclass || ' was read ' || others.reads || ' times by others.' as what,
  'drop index if exists ' || indexrelid::regclass || ';' as fix
from pg_stat_user_indexes as own
join pg_index using (indexrelid)
cross join lateral (
  select sum(other.idx_scan) as reads from pg_stat_user_indexes as other where other.relid = own.relid
) as others
where own.schemaname = 'public' and own.idx_scan = 0 and others.reads >= 100000 and not indisunique and indisvalid
  and own.indexrelname <> all ($1::text[])

-- indexes_unused: your own indexes that nothing has read while their table was read 100,000 times by others.
--   $1 names  text[]  the indexes of the migrations
-- Counted since the table was made: an import makes the tables of the frame index anew. Unique ones hold rows to a rule.
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

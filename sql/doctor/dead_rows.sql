-- dead_rows: tables with many rows that are gone and still read past, or that autovacuum is told to leave alone.
select 'advice' as severity,
  relid::regclass || ' has ' || n_dead_tup || ' dead rows to ' || n_live_tup || ' living ones.' as what,
  'vacuum (analyze) ' || relid::regclass || ';' as mend
from pg_stat_user_tables
where schemaname = 'public' and n_dead_tup > 10000 and n_dead_tup > n_live_tup * 0.3
union all
select 'wrong' as severity, 'Autovacuum is told to leave ' || oid::regclass || ' alone.' as what,
  'alter table ' || oid::regclass || ' reset (autovacuum_enabled);' as mend
from pg_class
where relnamespace = 'public'::regnamespace and relkind = 'r' and 'autovacuum_enabled=false' = any (reloptions)

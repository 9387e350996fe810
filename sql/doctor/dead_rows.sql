-- dead_rows: tables with many dead rows, which every scan reads past.
select 'advice' as severity,
  relid::regclass || ' has ' || n_dead_tup || ' dead rows to ' || n_live_tup || ' living ones.' as what,
  'vacuum (analyze) ' || relid::regclass || ';' as fix
from pg_stat_user_tables
where schemaname = 'public' and n_dead_tup > 10000 and n_dead_tup > n_live_tup * 0.3

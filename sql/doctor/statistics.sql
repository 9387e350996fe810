-- statistics: tables without statistics for the planner, or whose rows mostly changed after them.
-- The planner needs none for tables of up to 16 pages. An import counts as a change of every row, so the check waits
-- for more changes than that.
with counted as (  -- one row per table of more than 16 pages, with the rows changed since its statistics
  select pg_class.oid, pg_class.reltuples, n_mod_since_analyze as changed,
    exists (select from pg_stats where schemaname = 'public' and tablename = pg_class.relname) as known,
    -- the statistics of other columns are hidden from a role
    has_table_privilege(pg_class.oid, 'SELECT') as may_look
  from pg_class
  join pg_stat_user_tables on relid = pg_class.oid
  where relnamespace = 'public'::regnamespace and pg_relation_size(pg_class.oid) > 16 * 8192
)
select 'unchecked' as severity, 'This role may not look at the statistics of ' || string_agg(oid::regclass::text, ', ' order by oid::regclass::text) || '.' as what,
  '' as fix
from counted
where not may_look
having count(*) > 0
union all
select case when known then 'advice' else 'wrong' end as severity,
  case
    when known then 'Statistics of ' || oid::regclass || ' are stale: ' || changed || ' rows were changed since, it has about ' || reltuples || '.'
    else 'There are no statistics of ' || oid::regclass || ': the planner knows nothing of its rows.'
  end as what,
  'analyze ' || oid::regclass || ';' as fix
from counted
where may_look and (not known or changed > 1.2 * greatest(reltuples, 0) + 1000)

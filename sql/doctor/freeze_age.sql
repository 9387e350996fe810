-- freeze_age: tables whose rows vacuum has not frozen for so long that PostgreSQL will refuse writes.
-- PostgreSQL takes no writes 3 million transactions before the age of 2,147 million. Autovacuum freezes a table at the age
-- of autovacuum_freeze_max_age: an age far beyond it shows that something stops autovacuum.
with aged as (  -- one row per table of ours, with its age in transactions
  select oid::regclass as name, age(relfrozenxid) as transactions, current_setting('autovacuum_freeze_max_age')::bigint as due
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'm')
)
select case when transactions > 1000000000 then 'wrong' else 'advice' end as severity,
  'The oldest rows of ' || name || ' are ' || transactions || ' transactions old, autovacuum freezes them after ' || due || '.' as what,
  format(E'-- Whatever check "vacuum_held_back" finds has to end first.\nvacuum (freeze, analyze) %s;', name) as fix
from aged
where transactions > 1.5 * due

-- autovacuum: tables that autovacuum leaves alone, or visits too late, and tables whose pages stay mostly empty.
-- PostgreSQL reads off, false, no and 0 alike. The table of long values (TOAST) has its own options. A build or an
-- import makes the tables of the index anew, without such options.
with told as (  -- one row per option of a table of ours
  select relid, name, value, prefix
  from (
    select oid as relid, reloptions as options, '' as prefix from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'm')
    union all
    select of_table.oid, toast.reloptions, 'toast.'
    from pg_class as of_table
    join pg_class as toast on toast.oid = of_table.reltoastrelid
    where of_table.relnamespace = 'public'::regnamespace
  ) as relation
  cross join lateral (select option_name as name, option_value as value from pg_options_to_table(options)) as option
), fault as (  -- one row per option that turns autovacuum off or delays it
  select relid, prefix || name as name, 'Autovacuum is told to leave ' || relid::regclass || ' alone' as what
  from told
  where case when name = 'autovacuum_enabled' then not value::boolean end
  union all
  select relid, prefix || name, 'Autovacuum waits for ' || value || case when name like '%factor' then ' times the rows of ' else ' rows of ' end || relid::regclass
  from told
  where case
    when name in ('autovacuum_vacuum_scale_factor', 'autovacuum_analyze_scale_factor') then value::float8 > 1
    when name in ('autovacuum_vacuum_threshold', 'autovacuum_analyze_threshold') then value::bigint > 1000000
  end
  union all
  select relid, name, 'Pages of ' || relid::regclass || ' are filled to ' || value || ' per cent only: each read takes more of them'
  from told
  where name = 'fillfactor' and case when name = 'fillfactor' then value::int < 50 end
)
select 'wrong' as severity, what || case when name like 'toast.%' then ' (its long values).' else '.' end as what,
  'alter table ' || relid::regclass || ' reset (' || name || ');'
    || case name when 'fillfactor' then E'\n-- Nothing can read the table meanwhile:\nvacuum (full, analyze) ' || relid::regclass || ';' else '' end as fix
from fault
order by relid::regclass::text, name

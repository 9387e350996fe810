-- functions_changed: functions that differ from their file in sql/functions/, or are missing.
--   $1 names  text[]  each after the functions that it calls
--   $2 fixes  text[]  the statements of the file
-- The doctor makes a copy of each function in pg_temp before this statement and rolls it back: PostgreSQL writes both
-- in the same way, whatever its version. A function that calls a missing one cannot be copied; it is compared once
-- that is fixed.
with expected as (  -- one row per function of ours, in the order in which they can be made
  select * from unnest($1::text[], $2::text[]) with ordinality as each (name, fix, place)
), known as (  -- one row per function, ours and the copy, with all that decides what it does
  select proname, pronamespace, (prosrc, pg_get_function_sqlbody(oid), proconfig, prolang, provolatile, proparallel, proisstrict,
    prosecdef, proleakproof, prorettype, proretset, pg_get_function_arguments(oid))::text as made
  from pg_proc
  where pronamespace in ('public'::regnamespace, pg_my_temp_schema())
)
select 'wrong' as severity,
  'Function ' || expected.name || case when bool_or(ours.made is not null) then ' differs from its file in sql/functions/.' else ' is missing.' end as what,
  fix as fix
from expected
left join known as copy on copy.proname = expected.name and copy.pronamespace = pg_my_temp_schema()
left join known as ours on ours.proname = expected.name and ours.pronamespace = 'public'::regnamespace
group by expected.name, fix, place
having not coalesce(bool_or(ours.made = coalesce(copy.made, ours.made)), false)
order by place

-- functions_changed: functions of ours that are otherwise than the migrations make them, or missing.
--   $1 names  text[]  each after those that it calls
--   $2 mends  text[]  the statements of the migrations, for one that was changed
--   $3 whole  text[]  the same with comment and rights, for one that is missing
-- The doctor makes each function once more in pg_temp before this, and takes that back: two of one server can be compared whatever
-- its version. One whose copy cannot be made, as a function that it calls is missing, is compared once that is mended.
with expected as (
  select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality as each (name, mend, whole, place)
), known as (  -- one row per function, ours and the copy, with all that decides what it does
  select proname, pronamespace, (prosrc, pg_get_function_sqlbody(oid), proconfig, prolang, provolatile, proparallel, proisstrict,
    prosecdef, proleakproof, prorettype, proretset, pg_get_function_arguments(oid))::text as made
  from pg_proc
  where pronamespace in ('public'::regnamespace, pg_my_temp_schema())
)
select 'wrong' as severity,
  'Function ' || expected.name || case when bool_or(ours.made is not null) then ' is otherwise than the migrations make it.' else ' is missing.' end as what,
  case when bool_or(ours.made is not null) then mend else whole end as mend
from expected
left join known as copy on copy.proname = expected.name and copy.pronamespace = pg_my_temp_schema()
left join known as ours on ours.proname = expected.name and ours.pronamespace = 'public'::regnamespace
group by expected.name, mend, whole, place
having not coalesce(bool_or(ours.made = coalesce(copy.made, ours.made)), false)
order by place

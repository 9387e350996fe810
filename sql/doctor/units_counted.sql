-- units_counted: units that have no frames, are missing, or have a wrong count.
--   $1 unit_count  text  the statement that counts frames, as an import runs it
--   $2 state       text  the one that fills table state
--   $3 lga         text  local government areas
--   $4 ward        text  wards
with frames_of as materialized (  -- one row per lowest unit, with the number of its frames
  select state, lga, ward, count(*) as frames from frame group by state, lga, ward
), counted (level, name, frames) as (  -- one row per unit of any level, with the number of its frames
  select 'state', state, sum(frames) from frames_of where state is not null group by state
  union all
  select 'lga', concat_ws(', ', lga, state), sum(frames) from frames_of where lga is not null group by state, lga
  union all
  select 'ward', concat_ws(', ', ward, lga, state), sum(frames) from frames_of where ward is not null group by state, lga, ward
), stored (level, name, frames) as (  -- one row per unit of any level, with its stored number
  select 'state', state, frames from state
  union all
  select 'lga', concat_ws(', ', lga, state), frames from lga
  union all
  select 'ward', concat_ws(', ', ward, lga, state), frames from ward
), differing as (  -- the units whose two numbers differ
  select level, name, counted.frames as has, stored.frames as says
  from counted
  full join stored using (level, name)
  where counted.frames is distinct from stored.frames
)
select 'wrong' as severity,
  'Units that table ' || level || ' is wrong about: ' || count(*) || ', such as ' || min(name) || ', where it counts '
    || coalesce((array_agg(says order by name))[1], 0) || ' in place of ' || coalesce((array_agg(has order by name))[1], 0) || '.' as what,
  E'begin;\n' || $1::text || E';\ndelete from ' || level || E';\n' || case level when 'state' then $2::text when 'lga' then $3::text else $4::text end
    || E';\nupdate index_generation set generation = generation + 1;\ncommit;' as fix
from differing
group by level
union all
select 'wrong' as severity, 'index_generation counts ' || generation.frames || ' in place of ' || total.frames || ' frames.' as what,
  'update index_generation set frames = (select count(*) from frame);' as fix
from index_generation as generation
cross join (select coalesce(sum(frames), 0) as frames from frames_of) as total
where generation.frames <> total.frames

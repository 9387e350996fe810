-- unit_frames: units of totals that have no frames, are missing, or have a wrong count; frames placed in a wrong unit.
with placed as (  -- one row per ward and block, with the number of its frames
  select state, lga, ward, block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2) as block, count(*) as frames
  from frame
  group by 1, 2, 3, 4
), counted (level, name, frames) as (  -- one row per unit of any level
  select 'country', '', coalesce(sum(frames), 0) from placed
  union all
  select 'state', state, sum(frames) from placed where state is not null group by state
  union all
  select 'lga', concat_ws(', ', lga, state), sum(frames) from placed where lga is not null group by state, lga
  union all
  select 'ward', concat_ws(', ', ward, lga, state), sum(frames) from placed where ward is not null group by state, lga, ward
  union all
  select 'block', block::text, sum(frames) from placed group by block
), stored (level, name, frames) as (  -- the same as table unit has it
  select level, case level when 'block' then block::text else concat_ws(', ', ward, lga, state) end, frames from unit
), differing as (  -- the units whose two numbers differ
  select level, name, counted.frames <> stored.frames as is_counted from counted full join stored using (level, name)
  where counted.frames is distinct from stored.frames
), misplaced as (  -- the frames whose units table frame_unit has wrong, or lacks, and its rows of no frame
  select coalesce(frame.frame_id, listed.frame_id) as frame_id
  from frame
  left join unit as home on home.state = frame.state and home.lga = frame.lga and coalesce(home.ward, '') = coalesce(frame.ward, '')
  full join frame_unit as listed on listed.frame_id = frame.frame_id
  where frame.frame_id is null or listed.home_id is distinct from home.unit_id
    or listed.block_id is distinct from 10000000 + block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2)
)
select 'wrong' as severity,
  'Units that table unit is wrong about: ' || count(*) || ', such as ' || coalesce(min(nullif(level || ' ' || name, 'country ')), 'the country') || '.' as what,
  -- the count of a unit is in no total
  E'begin;\nselect units_keep();\n' || case when bool_and(is_counted) then '' else E'select totals_keep(layer_id) from dataset;\n' end
    || E'update index_generation set generation = generation + 1;\ncommit;' as fix
from differing
having count(*) > 0
union all
select 'wrong' as severity, 'Frames that table frame_unit is wrong about: ' || count(*) || ', such as ' || min(frame_id) || '.' as what,
  E'begin;\nselect frame_units_keep();\nselect totals_keep(layer_id) from dataset;\nupdate index_generation set generation = generation + 1;\ncommit;' as fix
from misplaced
having count(*) > 0

-- unit_frames: units of totals that have no frames, are missing, or have a wrong count.
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
  select level, name from counted full join stored using (level, name) where counted.frames is distinct from stored.frames
)
select 'wrong' as severity,
  'Table unit is wrong about ' || count(*) || ' units, such as ' || coalesce(min(nullif(level || ' ' || name, 'country ')), 'the country') || '.' as what,
  E'begin;\nselect units_keep();\nselect totals_keep(layer_id) from dataset;\nupdate index_generation set generation = generation + 1;\ncommit;' as fix
from differing
having count(*) > 0

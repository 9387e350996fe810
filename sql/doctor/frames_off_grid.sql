-- frames_off_grid: frames outside the square of the grid that their id names.
-- An id is row * 36000 + col of its square of a hundredth of a degree. The check finds nothing where an imported index
-- has ids of its own.
with squared as (  -- each frame with the south-west corner that its id names
  select frame_id, geom, frame_id % 36000 / 100.0::float8 - 180 as west, frame_id / 36000 / 100.0::float8 - 90 as south from frame
), off as (  -- one row: the number of frames outside their square, and the lowest id
  select count(*) as frames, min(frame_id) as example
  from squared
  where ST_XMin(geom) < west - 1e-9 or ST_XMax(geom) > west + 0.01 + 1e-9
    or ST_YMin(geom) < south - 1e-9 or ST_YMax(geom) > south + 0.01 + 1e-9
), counted as (  -- the number of all frames, at least 1
  select greatest(count(*), 1) as frames from frame
)
select case when off.frames < 0.1 * counted.frames then 'wrong' else 'unchecked' end as severity,
  case when off.frames < 0.1 * counted.frames
    then 'Frames outside the square that their id names: ' || off.frames || ', such as ' || off.example || '.'
    else 'The ids of this index do not follow the grid.' end as what,
  (
    select regexp_replace(regexp_replace(source, '^built from (.+) and (.+)$', 'npm run -s frames -- build --outline "\1" --wards "\2"'),
      '^imported from (.+)$', 'npm run -s frames -- import frames "\1"')
    from index_generation
  ) as fix
from off, counted
where off.frames > 0

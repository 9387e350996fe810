-- frames_missing: cells of the grid with no frame, between four neighbours that are whole squares.
-- index: frame_pkey
-- No outline leaves such a hole: whole neighbours have land up to their common edges. The check finds nothing where
-- ids do not follow the grid.
with placed as (  -- each frame with the next id in use
  select frame_id, lead(frame_id) over (order by frame_id) as next_id from frame
), gap as (  -- one row per single id that is missing between two others
  select frame_id + 1 as frame_id from placed where next_id = frame_id + 2
), square as (  -- each of these ids with its cell
  select gap.frame_id,
    ST_MakeEnvelope(gap.frame_id % 36000 / 100.0 - 180, gap.frame_id / 36000 / 100.0 - 90,
      gap.frame_id % 36000 / 100.0 - 179.99, gap.frame_id / 36000 / 100.0 - 89.99, 4326) as geom
  from gap
), hole as (  -- the cells between four whole neighbours
  select square.frame_id
  from square
  cross join lateral (
    select count(*) as whole
    from frame
    where frame.frame_id in (square.frame_id - 1, square.frame_id + 1, square.frame_id - 36000, square.frame_id + 36000)
      and ST_Area(frame.geom) > 0.0000999999 and frame.geom && square.geom
  ) as neighbour
  where neighbour.whole = 4
    and not exists (select from frame where ST_Intersects(frame.geom, ST_Centroid(square.geom)))
)
select 'wrong' as severity,
  'Cells without a frame, though all around them is land: ' || count(*) || ', such as ' || min(frame_id) || '.' as what,
  (
    select regexp_replace(regexp_replace(source, '^built from (.+) and (.+)$', 'npm run -s frames -- build --outline "\1" --wards "\2"'),
      '^imported from (.+)$', 'npm run -s frames -- import frames "\1"')
    from index_generation
  ) as fix
from hole
having count(*) > 0

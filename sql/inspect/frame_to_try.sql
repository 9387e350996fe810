-- frame_to_try: a frame from the middle of the index, with a point in it, a box around it and its units.
-- index: frame_pkey
with middle as (  -- the id half way between the lowest and the highest
  select (min(frame_id) + max(frame_id)) / 2 as frame_id from frame
), tried as (  -- the first frame from there on
  select frame.frame_id, frame.state, frame.lga, ST_PointOnSurface(frame.geom) as point
  from middle
  cross join lateral (select * from frame where frame_id >= middle.frame_id order by frame_id limit 1) as frame
), placed as (  -- its point, to a metre
  select frame_id, state, lga, round(ST_X(point)::numeric, 5) as lon, round(ST_Y(point)::numeric, 5) as lat from tried
)
select frame_id::text as id, lon::text as lon, lat::text as lat, state as state, lga as lga,
  concat_ws(',', round(lon - 0.01, 3), round(lat - 0.01, 3), round(lon + 0.01, 3), round(lat + 0.01, 3)) as bbox
from placed

-- figures_of_frames: the number of these frames, their area and their units.
--   $1 frames  text[]  a frame_set
-- index: frame_pkey
-- budget: buffers <= 2 + 6 * frames, rows read <= frames
-- example: '{322074005,322074006}'
-- null: area, states, lgas, wards
with asked as (  -- one row for each id that the index knows
  select frame.*
  from unnest(frame_set($1::text[])) as id (frame_id)
  join frame using (frame_id)
)
select
  count(*)::int as frames,
  trim_scale(round(sum(area_km2), 2))::text as area,
  array_agg(distinct state) filter (where state is not null) as states,
  array_agg(distinct lga || ', ' || state) filter (where lga is not null) as lgas,
  array_agg(distinct ward || ', ' || lga || ', ' || state) filter (where ward is not null) as wards
from asked

-- figures_of_frames: what the frame index itself says of these frames, taken together.
--   $1 ids  bigint[]  frame ids, each once
-- index: frame_pkey
-- budget: buffers <= 2 + 6 * ids, rows read <= ids
-- Areas are on the ellipsoid, in km2, each to the square metre.
with asked as (
  select frame.*, round((ST_Area(geom::geography) / 1e6)::numeric, 6) as km2
  from unnest($1::bigint[]) as id (frame_id)
  join frame using (frame_id)
)
select
  count(*)::int as frames,
  trim_scale(round(sum(km2), 2))::text as area,
  array_agg(distinct state) filter (where state is not null) as states,
  array_agg(distinct lga || ', ' || state) filter (where lga is not null) as lgas,
  array_agg(distinct ward || ', ' || lga || ', ' || state) filter (where ward is not null) as wards
from asked

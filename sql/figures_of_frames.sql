-- figures_of_frames: what the frame index itself says of these frames, taken together.
--   $1 ids  bigint[]  frame ids, each once
-- index: frame_pkey
-- budget: buffers <= 2 + 6 * ids, rows read <= ids
with asked as (
  select frame.*
  from unnest($1::bigint[]) as id (frame_id)
  join frame using (frame_id)
)
select
  count(*)::int as frames,
  trim_scale(round(sum(area_km2), 2))::text as area,
  array_agg(distinct state) filter (where state is not null) as states,
  array_agg(distinct lga || ', ' || state) filter (where lga is not null) as lgas,
  array_agg(distinct ward || ', ' || lga || ', ' || state) filter (where ward is not null) as wards
from asked

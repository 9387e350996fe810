-- frames_by_id: frames by their ids, in the order given; no row for an id that the index does not know.
--   $1 ids  bigint[]  frame ids, each once
-- index: frame_pkey
-- budget: buffers <= 2 + 5 * ids, rows read <= ids
-- example: '{322074005,322074006}'
-- null: state, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode
with asked as (  -- one row for each id, with its place among $1
  select frame_id, place
  from unnest($1::bigint[]) with ordinality as id (frame_id, place)
)
select
  frame.frame_id::text as id,
  frame.geojson as geometry,
  frame.bbox as bbox,
  frame.state as state,
  frame.state_code as "stateCode",
  frame.lga as lga,
  frame.lga_code as "lgaCode",
  frame.ward as ward,
  frame.ward_code as "wardCode",
  frame.zone as zone,
  frame.zone_code as "zoneCode"
from asked
join frame using (frame_id)
order by asked.place

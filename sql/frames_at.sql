-- frames_at: the frame that contains each point; no row for a point off the grid.
--   $1 lons  float8[]  degrees, WGS 84
--   $2 lats  float8[]  as many as lons
-- index: frame_geom_idx
-- budget: buffers <= 2 + 6 * lons, rows read <= 2 * lons
-- at worst: buffers <= 10 * lons, rows read <= 4 * lons
-- example: '{0.205}', '{0.105}'
-- A point on a shared edge lies in up to four frames: the lowest id answers.
-- null: state, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode
with asked as (  -- one row for each point, with its place among $1
  select place, ST_SetSRID(ST_MakePoint(lon, lat), 4326) as geom
  from unnest($1::float8[], $2::float8[]) with ordinality as point (lon, lat, place)
)
select
  asked.place::int as place,
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
cross join lateral (
  -- "offset 0" keeps the planner from walking the primary key in id order until it meets the point
  select * from (select * from frame where ST_Covers(frame.geom, asked.geom) offset 0) as covering
  order by frame_id
  limit 1
) as frame

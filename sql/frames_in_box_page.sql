-- frames_in_box_page: a page of the frames that touch a box, edges included, in the order of ids, as GeoJSON.
--   $1 min_lon  float8  degrees, WGS 84
--   $2 min_lat  float8
--   $3 max_lon  float8
--   $4 max_lat  float8
--   $5 after    bigint  frame id the page comes after; -1 for the first page
--   $6 most     int     frames at the most
-- index: frame_pkey
-- budget: buffers <= 300, rows read <= 4000
-- at worst: buffers <= 2000, rows read <= 9000
-- example: 0.2, 0.1, 0.22, 0.12, -1, 3
-- It looks at all frames of the runs at the box, where frames_in_box finds few by GiST.
with asked as (  -- the box: an area, or a line or a point where it has no width or no height
  select ST_SetSRID(ST_Envelope(ST_MakeLine(
    ST_MakePoint($1::float8, $2::float8), ST_MakePoint($3::float8, $4::float8)
  )), 4326) as geom
), page as (  -- run after run, in the order of ids; "offset 0" keeps GiST out
  select member.frame_id, member.geojson
  from (
    select first_id, last_id from asked cross join frame_run
    where last_id > $5::bigint and extent && asked.geom
    order by first_id
  ) as run
  cross join lateral (
    select frame_id, geojson
    from (
      select * from frame where frame_id between run.first_id and run.last_id and frame_id > $5::bigint offset 0
    ) as inside
    where ST_Intersects(inside.geom, (select geom from asked))
    order by frame_id
  ) as member
  limit $6::int
)
select
  coalesce(
    string_agg('{"type":"Feature","id":"' || frame_id || '","geometry":' || geojson || ',"properties":{}}', ','),
    ''
  ) as features,
  count(*)::int as frames
from (select frame_id, geojson from page order by frame_id) as in_order

-- frames_in_box: the frames that touch a box, edges included, lowest ids first, joined into one text of GeoJSON.
--   $1 min_lon  float8  degrees, WGS 84
--   $2 min_lat  float8
--   $3 max_lon  float8
--   $4 max_lat  float8
--   $5 most     int     frames at the most, up to 20,000
-- index: frame_geom_idx, frame_pkey
-- budget: buffers <= 10 + 0.3 * rows, rows read <= 20 + 1.2 * rows
-- at worst: buffers <= 8000, rows read <= 45000
-- example: 0.2, 0.1, 0.22, 0.12, 5000
-- Up to 20,000 frames are found by GiST and sorted. For more, runs of ids are walked: sorting 750,000 takes 0.5 s.
-- null: next
with asked as (  -- the box as a point, a line or an area, and inner_box: the same area, drawn in
  select case
    when $1::float8 = $3::float8 and $2::float8 = $4::float8 then ST_SetSRID(ST_MakePoint($1::float8, $2::float8), 4326)
    when $1::float8 = $3::float8 or $2::float8 = $4::float8
      then ST_SetSRID(ST_MakeLine(ST_MakePoint($1::float8, $2::float8), ST_MakePoint($3::float8, $4::float8)), 4326)
    else ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326)
  end as geom,
  -- GiST keeps boxes as float4, which near 180 degrees rounds by 0.00002: what it finds in a box drawn in by 0.0001
  -- lies in the box, and needs no exact look
  case when $3::float8 - $1::float8 > 0.001 and $4::float8 - $2::float8 > 0.001
    then ST_MakeEnvelope($1::float8 + 0.0001, $2::float8 + 0.0001, $3::float8 - 0.0001, $4::float8 - 0.0001, 4326)
  end as inner_box
), found as materialized (  -- the frames that GiST finds, one more than are sorted
  select frame_id, geojson
  from frame
  -- twice: of unknown boxes the planner expects a ten-thousandth of the frames, and for 7,500 of 75 million it would build
  -- a bitmap of all that match before it takes the first; after the second box it expects one, and stops at the limit
  where frame.geom && (select geom from asked) and frame.geom && (select geom from asked)
    and case when frame.geom @ (select inner_box from asked) then true
      else ST_Intersects(frame.geom, (select geom from asked)) end
  limit 20001
), few as (  -- the page, where few enough were found
  select frame_id, geojson from found
  where (select count(*) from found) <= 20000
  order by frame_id
  limit $5::int
), many as (  -- the page, where more were found: run after run, in the order of ids; "offset 0" keeps GiST out
  select member.frame_id, member.geojson
  from (
    -- joined to a CTE, which no parallel worker reads: PostgreSQL would start workers for every box, also for small ones
    select first_id, last_id from asked cross join frame_run
    where (select count(*) from found) > 20000 and extent && asked.geom
    order by first_id
  ) as run
  cross join lateral (
    select frame_id, geojson
    from (select * from frame where frame_id between run.first_id and run.last_id offset 0) as inside
    where inside.geom && (select geom from asked)
      and case when inside.geom @ (select inner_box from asked) then true
        else ST_Intersects(inside.geom, (select geom from asked)) end
    order by frame_id
  ) as member
  limit $5::int
), page as (  -- one of the two, in the order of ids
  select frame_id, geojson
  from (select frame_id, geojson from few union all select frame_id, geojson from many) as touching
  order by frame_id
)
select
  coalesce(
    string_agg('{"type":"Feature","id":"' || frame_id || '","geometry":' || geojson || ',"properties":{}}', ','),
    ''
  ) as features,
  case when (select count(*) from found) > $5::int then max(frame_id) end as next
from page

-- frames_in_area_page: a page of the frames that touch a box or a shape, edges included, in the order of ids, as GeoJSON.
--   $1 frames  text[]  box or shape, as function frame_set takes them
--   $2 after   bigint  frame id the page comes after; -1 for the first page
--   $3 most    int     frames at the most
-- index: frame_pkey
-- budget: buffers <= 300, rows read <= 4000
-- at worst: buffers <= 5000, rows read <= 25000
-- example: '{box,0.2,0.1,0.22,0.12}', -1, 3
-- It looks at all frames of the runs at the area, where frames_in_box finds few by GiST.
-- null: next
with asked as materialized (  -- a box, a polygon or several
  select area_of_set($1::text[]) as geom
), page as (  -- run after run, in the order of ids; "offset 0" keeps GiST out
  select member.frame_id, member.geojson
  from (
    select first_id, last_id from asked cross join frame_run
    where last_id > $2::bigint and extent && asked.geom
    order by first_id
  ) as run
  cross join lateral (
    select frame_id, geojson
    from (
      select * from frame where frame_id between run.first_id and run.last_id and frame_id > $2::bigint offset 0
    ) as inside
    where ST_Intersects((select geom from asked), inside.geom)
    order by frame_id
  ) as member
  limit $3::int + 1
)
select
  coalesce(
    string_agg('{"type":"Feature","id":"' || frame_id || '","geometry":' || geojson || ',"properties":{}}', ',')
      filter (where place <= $3::int),
    ''
  ) as features,
  case when count(*) > $3::int then max(frame_id) filter (where place <= $3::int) end as next
from (select frame_id, geojson, row_number() over (order by frame_id) as place from page) as numbered

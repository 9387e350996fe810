-- frames_of_box: the ids of frames that touch a box, in no order.
--   $1 min_lon  float8  degrees, WGS 84
--   $2 min_lat  float8
--   $3 max_lon  float8
--   $4 max_lat  float8
--   $5 most     int     frames at the most
-- index: frame_geom_idx
-- budget: buffers <= 20 + 1.5 * rows, rows read <= 20 + 1.2 * rows
-- example: 0.2, 0.1, 0.22, 0.12, 1001
select frame_id::text as id
from (select ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326) as geom) as asked
join frame on ST_Intersects(frame.geom, asked.geom) and frame.geom && asked.geom
limit $5::int

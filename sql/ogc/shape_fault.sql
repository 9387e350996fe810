-- shape_fault: why a shape cannot select anything, and the place of the fault in degrees; no row where it can.
--   $1 wkt  text
--   $2 crs  int   as shape_in takes it
-- budget: buffers <= 0, rows read <= 1
-- example: 'POLYGON((0 0,1 1,1 0,0 1,0 0))', 84
-- Reads no table.
select detail.reason as reason, ST_X(detail.location)::float8 as lon, ST_Y(detail.location)::float8 as lat
from (select shape_in($1::text, $2::int) as geom) as asked
cross join lateral ST_IsValidDetail(asked.geom) as detail
where not detail.valid

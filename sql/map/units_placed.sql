-- units_placed: a place inside each state and LGA for its name, the largest units first.
-- budget: buffers <= 10000, rows read <= 16000
-- reads all of: unit_area
-- The areas of a nation take 70 ms: the answer has an ETag, and browsers keep it.
select state as state, lga as lga, round(ST_X(place)::numeric, 4)::float8 as lon, round(ST_Y(place)::numeric, 4)::float8 as lat
from (select state, lga, area_km2, ST_PointOnSurface(geom) as place from unit_area where ward is null) as named
order by (lga is not null), area_km2 desc

-- units_placed: a place for the name of each state and LGA, the largest first.
-- budget: buffers <= 8000, rows read <= 16000
-- reads all of: unit_area
-- The middle of the corners: a point on the surface takes a second for the areas of a nation.
select
  state as state,
  lga as lga,
  round(((ST_XMin(geom) + ST_XMax(geom)) / 2)::numeric, 4)::float8 as lon,
  round(((ST_YMin(geom) + ST_YMax(geom)) / 2)::numeric, 4)::float8 as lat
from unit_area
where ward is null
order by (lga is not null), area_km2 desc

-- outline_of_index: the land of all states as a path of SVG, a thousand units wide, and its height; no row without land.
-- index: unit_area_once
-- budget: buffers <= 6000, rows read <= 200
-- Points closer than 3 units to a line are left out. The service keeps the answer until the index changes.
with land as materialized (  -- the states
  select ST_CollectionExtract(ST_Collect(area.geom), 3) as geom
  from state
  cross join lateral (select geom from unit_area where unit_area.state = state.state and lga is null and ward is null limit 1) as area
), coarse as materialized (  -- the same in metres of a web map
  select ST_Transform(ST_Simplify(geom, (ST_XMax(geom) - ST_XMin(geom)) * 0.003), 3857) as geom from land
), box as (  -- units of the picture for each metre
  select geom, ST_XMin(geom) as west, ST_YMin(geom) as south, 1000 / nullif(ST_XMax(geom) - ST_XMin(geom), 0) as scale, ST_YMax(geom) - ST_YMin(geom) as high
  from coarse
)
select ST_AsSVG(ST_TransScale(geom, -west, -south, scale, scale), 1, 0) as path, round(high * scale)::int as height
from box
where scale is not null

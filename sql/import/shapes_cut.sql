-- shapes_cut: lays the staged shapes into a plane of equal areas, EPSG:6933, and cuts them into parts of few vertices.
-- Reads no table.
-- Parallels and meridians are straight in that plane, so frames and shapes that are cut at them add up to the whole. Parts
-- of few vertices are cut by frames many times as fast.
insert into staging.shape_part (number, of_shape, geom)
select number, ST_Area(placed.geom), ST_Subdivide(placed.geom, 128)
from staging.feature_source
cross join lateral (select ST_Transform(feature_source.geom, 6933) as geom offset 0) as placed

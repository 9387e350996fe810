-- frames_put: makes frames of the staged features: 7 decimals (1e-7), counterclockwise, one polygon if that is enough.
-- Rows go in along the Hilbert curve of geom, so that a box reads few pages.
insert into staging.frame (frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code)
select source.frame_id, shape.geom, source.state, source.state_code, source.lga, source.lga_code, source.ward, source.ward_code,
  source.zone, source.zone_code
from staging.frame_source as source
cross join lateral (
  select ST_GeomFromGeoJSON(ST_AsGeoJSON(ST_ForcePolygonCCW(ST_CollectionExtract(ST_ReducePrecision(source.geom, 1e-7), 3)), 7)) as geom
  offset 0  -- without it, PostgreSQL reduces the precision of each shape twice
) as exact
cross join lateral (
  select case ST_NumGeometries(exact.geom) when 1 then ST_GeometryN(exact.geom, 1) else exact.geom end as geom
) as shape
order by shape.geom

-- outline_add: takes in one geometry of the outline, mended where it is invalid.
--   $1 geojson  text  a Polygon or MultiPolygon, degrees, WGS 84
insert into staging.outline_source (geom)
select ST_CollectionExtract(ST_MakeValid(ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON($1::text)), 4326)), 3) as geom

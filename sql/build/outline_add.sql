-- outline_add: stages one geometry of the outline, made valid.
--   $1 geojson  text  a Polygon or MultiPolygon, degrees, WGS 84
-- example: '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'
insert into staging.outline_source (geom)
select ST_CollectionExtract(ST_MakeValid(ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON($1::text)), 4326)), 3) as geom

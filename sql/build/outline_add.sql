-- outline_add: stages one geometry of the outline, made valid; returns its fault, null where it was valid.
--   $1 geojson  text  a Polygon or MultiPolygon, degrees, WGS 84
-- example: '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'
with given as (  -- the geometry as it came
  select ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON($1::text)), 4326) as geom
), added as (  -- the geometry that the build cuts into cells
  insert into staging.outline_source (geom)
  select ST_CollectionExtract(ST_MakeValid(geom), 3) from given
)
select nullif(ST_IsValidReason(geom), 'Valid Geometry') as fault
from given

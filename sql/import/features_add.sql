-- features_add: stages features of a file.
--   $1 features  text  JSON array of {number, line, id, geometry, properties}; geometry and properties are JSON text
-- example: '[{"number":1,"line":1,"id":"a","geometry":"{\"type\":\"Point\",\"coordinates\":[0.2,0.1]}","properties":"{}"}]'
insert into staging.feature_source (number, line, feature_id, geom, properties)
select
  (item ->> 'number')::bigint as number,
  (item ->> 'line')::bigint as line,
  item ->> 'id' as feature_id,
  ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(item ->> 'geometry')), 4326) as geom,
  item ->> 'properties' as properties
from jsonb_array_elements($1::text::jsonb) as item

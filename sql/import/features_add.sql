-- features_add: takes in features of a file, as they came.
--   $1 features  text  JSON array of {number, line, id, geometry, properties}; geometry and properties are JSON text
insert into staging.feature_source (number, line, feature_id, geom, properties)
select
  (item ->> 'number')::bigint as number,
  (item ->> 'line')::bigint as line,
  item ->> 'id' as feature_id,
  ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(item ->> 'geometry')), 4326) as geom,
  item ->> 'properties' as properties
from jsonb_array_elements($1::text::jsonb) as item

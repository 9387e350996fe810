-- frames_add: stages features of an organisation's own grid, with the names of their units folded.
--   $1 frames  text  JSON array of {number, line, id, state, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode,
--     geometry}
-- example: '[{"number":1,"line":1,"id":"7","state":"Marembe","lga":"Lakeside","geometry":"{\"type\":\"Point\",\"coordinates\":[0.2,0.1]}"}]'
insert into staging.frame_source (number, line, frame_id, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code, geom)
select
  (item ->> 'number')::bigint as number,
  (item ->> 'line')::bigint as line,
  (item ->> 'id')::bigint as frame_id,
  nullif(fold_name(item ->> 'state'), '') as state,
  nullif(fold_name(item ->> 'stateCode'), '') as state_code,
  nullif(fold_name(item ->> 'lga'), '') as lga,
  nullif(fold_name(item ->> 'lgaCode'), '') as lga_code,
  nullif(fold_name(item ->> 'ward'), '') as ward,
  nullif(fold_name(item ->> 'wardCode'), '') as ward_code,
  nullif(fold_name(item ->> 'zone'), '') as zone,
  nullif(fold_name(item ->> 'zoneCode'), '') as zone_code,
  ST_SetSRID(ST_Force2D(ST_GeomFromGeoJSON(item ->> 'geometry')), 4326) as geom
from jsonb_array_elements($1::text::jsonb) as item

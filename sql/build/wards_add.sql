-- wards_add: stages wards, as points or areas, with their names folded; blank names and codes become null.
--   $1 wards  text  JSON array of {number, state, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode,
--     geometry}; geometry is GeoJSON text
-- example: '[{"number":1,"state":"Marembe","lga":"Lakeside","ward":"Quay","geometry":"{\"type\":\"Point\",\"coordinates\":[0.2,0.1]}"}]'
insert into staging.ward_source (number, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code, geom)
select
  (item ->> 'number')::bigint as number,
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

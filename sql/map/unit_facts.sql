-- unit_facts: the names, codes, size and corners of a unit; no row for one that the index does not know.
--   $1 state  text  any case
--   $2 lga    text  null for a state
--   $3 ward   text  null for a state or an LGA
-- index: unit_area_once, lga_pkey, ward_pkey
-- budget: buffers <= 40 + 6 * rows, rows read <= 2000
-- example: 'marembe', 'lakeside', null
-- null: lga, ward, code, zone, $2, $3
with found as (  -- the area of the unit
  select * from unit_area
  where unit_area.state = fold_name($1::text)
    and unit_area.lga is not distinct from fold_name($2::text)
    and unit_area.ward is not distinct from fold_name($3::text)
)
select
  found.state as state,
  found.lga as lga,
  found.ward as ward,
  case when found.ward is not null then ward.ward_code when found.lga is not null then lga.lga_code else state.state_code end as code,
  state.zone as zone,
  case when found.ward is not null then ward.frames when found.lga is not null then lga.frames else state.frames end::int as frames,
  trim_scale(round(found.area_km2, 2))::text as "areaKm2",
  ST_XMin(found.geom)::float8 as "minLon",
  ST_YMin(found.geom)::float8 as "minLat",
  ST_XMax(found.geom)::float8 as "maxLon",
  ST_YMax(found.geom)::float8 as "maxLat"
from found
join state on state.state = found.state
left join lga on lga.state = found.state and lga.lga = found.lga
left join ward on ward.state = found.state and ward.lga = found.lga and ward.ward = found.ward

-- outlines_of_units: the outline of each unit as GeoJSON, in the order given; no row for one that the index does not know.
--   $1 states  text[]  as the index writes them
--   $2 lgas    text[]  null for a state
--   $3 wards   text[]  null for a state or an LGA
-- index: unit_once, unit_area_pkey
-- budget: buffers <= 12 * states, rows read <= 2 * states
-- example: '{MAREMBE,MAREMBE}', '{null,LAKESIDE}', '{null,null}'
-- A state of a nation has up to 3,000 corners. Of more than five, 0.02 degrees, two frames, leave some hundred.
-- null: $2[], $3[]
with named as (  -- one row for each unit, with its place among the units given
  select state, lga, ward, place, case when lga is null then 'state' when ward is null then 'lga' else 'ward' end as level
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as unit (state, lga, ward, place)
)
select ST_AsGeoJSON(case when named.level = 'state' and cardinality($1::text[]) > 5 then ST_Simplify(unit_area.geom, 0.02, true) else unit_area.geom end, 6) as geometry
from named
cross join lateral (
  select unit_id from unit
  where unit.level = named.level and coalesce(unit.state, '') = named.state
    and coalesce(unit.lga, '') = coalesce(named.lga, '') and coalesce(unit.ward, '') = coalesce(named.ward, '')
    and coalesce(unit.block, -1) = -1
  limit 1
) as found
join unit_area on unit_area.unit_id = found.unit_id
order by named.place

-- neighbours_of_unit: the units of the same level that share an edge or a corner with a unit, by name.
--   $1 state  text  any case
--   $2 lga    text  null for a state
--   $3 ward   text  null for a state or an LGA
-- index: unit_area_once, unit_area_geom_idx
-- budget: buffers <= 12000, rows read <= 2500
-- example: 'marembe', 'lakeside', null
-- null: lga, ward, $2, $3
with chosen as materialized (  -- the unit
  select unit_id, lga, ward, geom from unit_area
  where unit_area.state = fold_name($1::text)
    and unit_area.lga is not distinct from fold_name($2::text)
    and unit_area.ward is not distinct from fold_name($3::text)
)
select other.state as state, other.lga as lga, other.ward as ward
from chosen
join unit_area as other
  on other.geom && chosen.geom
  and other.unit_id <> chosen.unit_id
  and (other.lga is null) = (chosen.lga is null)
  and (other.ward is null) = (chosen.ward is null)
  and ST_Intersects(other.geom, chosen.geom)
order by other.state collate "C", other.lga collate "C", other.ward collate "C"

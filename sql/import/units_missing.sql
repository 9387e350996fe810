-- units_missing: the first units of a level that no staged row names, and how many there are.
--   $1 level  text  state, lga or ward
-- example: 'ward'
select concat_ws(', ', unit.ward, unit.lga, unit.state) as path, count(*) over ()::int as units
from unit
where unit.level = $1::text and not exists (
  select from staging.unit_source as source
  where source.state = unit.state and source.lga is not distinct from unit.lga and source.ward is not distinct from unit.ward
)
order by unit_id
limit 3

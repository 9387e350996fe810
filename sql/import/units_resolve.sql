-- units_resolve: gives each staged unit the path that it has in the index; the rows are those that name none, or several.
--   $1 level  text  state, lga or ward
-- example: 'ward'
with found as materialized (  -- the units that a line may mean
  select source.line, coalesce(source.ward, source.lga, source.state) as name,
    concat_ws(', ', source.state, source.lga, source.ward) as path, unit.state, unit.lga, unit.ward
  from staging.unit_source as source
  left join unit on unit.level = $1::text and (source.state is null or unit.state = source.state)
    and (source.lga is null or unit.lga = source.lga) and (source.ward is null or unit.ward = source.ward)
), counted as materialized (  -- how many, with their paths
  select line, name, path, count(state) as units, array_agg(concat_ws(', ', state, lga, ward) order by state, lga, ward) as paths,
    min(state) as state, min(lga) as lga, min(ward) as ward, min(line) over (partition by array_agg(concat_ws(', ', state, lga, ward))) as first_line
  from found
  group by line, name, path
), resolved as (  -- one unit is what is meant
  update staging.unit_source as source set state = counted.state, lga = counted.lga, ward = counted.ward
  from counted
  where counted.line = source.line and counted.units = 1
)
select line::int as line, name as name, path as path, paths as paths, units::int as units, first_line::int as "firstLine"
from counted
where units <> 1 or first_line < line
order by line
limit 10

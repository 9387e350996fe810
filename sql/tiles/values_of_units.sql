-- values_of_units: what an attribute adds up to in each unit of a level, with the frames and the land that have it.
--   $1 level      text  state, lga or ward
--   $2 layer      text  the dataset
--   $3 attribute  text  as profile.sql names it
-- index: unit_once, attribute_pkey, unit_total_pkey, unit_interval_pkey
-- budget: buffers <= 2600, rows read <= 1500
-- at worst: buffers <= 50000, rows read <= 30000
-- example: 'lga', 'lyr_population', 'pop_demest26'
-- null: value, class, km2, lower, upper
with chosen as materialized (  -- the version of the dataset that is served, and its kind
  select version, kind,
    exists (select from attribute where attribute.layer_id = dataset.layer_id and attribute.name = $3::text and attribute.draws is not null) as has_interval
  from dataset
  where layer_id = $2::text
)
select
  unit.unit_id::text as id,
  case when chosen.kind <> 'frames' and total.number is null then 0 else total.number end::float8 as value,
  total.class as class, coalesce(total.recorded, 0)::int as recorded, unit.frames::int as frames,
  round(unit.km2, 3)::float8 as km2, bound.lower::float8 as lower, bound.upper::float8 as upper
from chosen
cross join units_in('{unit}', $1::text) as unit
left join lateral (
  select number, class, recorded
  from unit_total
  where unit_total.version = chosen.version and unit_total.attribute = $3::text and unit_total.unit_id = unit.unit_id
  limit 1
) as total on true
left join lateral (
  select lower, upper
  from unit_interval
  where chosen.has_interval and unit_interval.version = chosen.version and unit_interval.attribute = $3::text
    and unit_interval.unit_id = unit.unit_id
  limit 1
) as bound on true

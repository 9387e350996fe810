-- totals_of_level: the totals of one attribute over every unit of a level, in the order of names or blocks.
--   $1 level      text  country, state, lga, ward or block
--   $2 layer      text
--   $3 attribute  text  for features: features, km (of lines) or km2 (of polygons)
-- index: unit_once, attribute_pkey, unit_total_pkey
-- budget: buffers <= 1200 + 0.2 * rows, rows read <= 20000 + 2 * rows
-- example: 'lga', 'lyr_population', 'pop_demest26'
-- A unit without a value has a null; where features are counted or measured, a 0. Rounded as in totals_of_unit.
-- null: state, lga, ward, block, number, class
-- kind: $1 country|state|lga|ward|block
with asked as materialized (  -- the version of the dataset, its kind, and how the attribute is summarised
  select dataset.version, dataset.kind, attribute.summary
  from dataset
  left join attribute on attribute.layer_id = dataset.layer_id and attribute.name = $3::text
  where dataset.layer_id = $2::text
), listed as materialized (  -- the units of the level
  select unit_id, state, lga, ward, block, frames from unit where level = $1::text
), total as materialized (  -- the totals of the units between the first and the last of them: blocks are apart
  select found.*
  from asked
  cross join (select min(unit_id) as first_id, max(unit_id) as last_id from listed) as bound
  cross join lateral (
    select unit_id, number, class, recorded from unit_total
    where unit_total.version = asked.version and attribute = $3::text and unit_id between bound.first_id and bound.last_id
    offset 0
  ) as found
)
select
  listed.unit_id::text as "unitId", listed.state as state, listed.lga as lga, listed.ward as ward, listed.block::int as block,
  trim_scale(case
    when asked.kind <> 'frames' and total.number is null then 0
    when coalesce(asked.summary, 'sum') = 'sum' and $3::text not in ('km', 'km2') then total.number
    else round(total.number, greatest(2, coalesce(1 - floor(log(nullif(abs(total.number), 0))), 2))::int)
  end)::text as number,
  total.class as class, coalesce(total.recorded, 0)::int as recorded, listed.frames::int as frames
from asked
cross join listed
left join total using (unit_id)
order by listed.unit_id

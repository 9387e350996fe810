-- ratios_of_parts: the ratio of two totals of each part of a unit, the highest first.
--   $1 unit  text[]
--   $2 parts  text
--   $3 layer  text
--   $4 attribute  text
--   $5 other_layer  text
--   $6 other  text
--   $7 times  numeric
--   $8 of_unit  boolean  of the whole unit
--   $9 above  numeric
--   $10 at_least  numeric
--   $11 below  numeric
--   $12 at_most  numeric
-- index: unit_once, unit_total_pkey
-- budget: buffers <= 500 + 10 * rows, rows read <= 20000 + 8 * rows
-- example: '{}', 'lga', 'lyr_schools', 'features', 'lyr_population', 'pop_demest26', 1, false, 0, 0, 9, 9
-- null: path, number, classes
-- json: classes { value: string; frames: number }[]
with part as materialized (  -- the parts of the unit
  select unit_id, frames, within, coalesce(ward, lga, state) as name, array_remove(array[state, lga, ward], null) as path
  from unit
  where unit.level = $2::text
    and (cardinality($1::text[]) < 1 or unit.state = fold_name(($1::text[])[1]))
    and (cardinality($1::text[]) < 2 or unit.lga = fold_name(($1::text[])[2]))
    and (cardinality($1::text[]) < 3 or unit.ward = fold_name(($1::text[])[3]))
), divided as (  -- each part with its ratio; a part without a feature has none of them
  select part.*, coalesce(one.recorded, 0) as recorded,
    $7::numeric * case when one.number is null and one_dataset.kind <> 'frames' then 0 else one.number end
      / nullif(other.number, 0) as ratio
  from part
  join dataset as one_dataset on one_dataset.layer_id = $3::text
  join dataset as other_dataset on other_dataset.layer_id = $5::text
  left join unit_total as one
    on one.version = one_dataset.version and one.attribute = $4::text and one.unit_id = part.unit_id
  left join unit_total as other
    on other.version = other_dataset.version and other.attribute = $6::text
      and other.unit_id = case when $8::boolean then part.within[cardinality($1::text[]) + 1] else part.unit_id end
)
select
  name as name, path as path, frames::int as frames, recorded::int as recorded,
  -- a small quotient has two digits that are not zero
  trim_scale(round(ratio, greatest(case when $8::boolean then 1 else 2 end, coalesce(1 - floor(log(nullif(abs(ratio), 0))), 1))::int))::text as number,
  coalesce(ratio > $9::numeric and ratio >= $10::numeric and ratio < $11::numeric and ratio <= $12::numeric, false) as passes,
  (rank() over (order by ratio desc nulls last))::int as highest, (rank() over (order by ratio nulls last))::int as lowest,
  null::json as classes
from divided
order by divided.ratio desc nulls last, divided.path collate "C"

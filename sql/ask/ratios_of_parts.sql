-- ratios_of_parts: the ratio of two totals over each part of a unit, the highest first.
--   $1 unit             text[]   as in totals_of_parts
--   $2 parts            text
--   $3 layer            text
--   $4 attribute        text
--   $5 other_layer      text
--   $6 other_attribute  text
--   $7 times            numeric  1,000: to a thousand of the other
-- index: unit_once, unit_total_pkey
-- budget: buffers <= 500 + 10 * rows, rows read <= 20000 + 8 * rows
-- example: '{marembe}', 'lga', 'lyr_schools', 'features', 'lyr_population', 'pop_demest26', 10000
with part as materialized (  -- the parts of the unit
  select unit_id, state, lga, ward, frames
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
    on other.version = other_dataset.version and other.attribute = $6::text and other.unit_id = part.unit_id
)
select
  state as state, lga as lga, ward as ward,
  -- a small quotient has two digits that are not zero
  trim_scale(round(ratio, greatest(2, coalesce(1 - floor(log(nullif(abs(ratio), 0))), 2))::int))::text as number,
  null::text as class, null::int as "classFrames", recorded::int as recorded, frames::int as frames,
  (rank() over (order by ratio desc nulls last))::int as "fromTop", (rank() over (order by ratio nulls last))::int as "fromBottom"
from divided
order by divided.ratio desc nulls last, divided.state collate "C", divided.lga collate "C", divided.ward collate "C"

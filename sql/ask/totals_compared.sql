-- totals_compared: two totals, their ratio, share and difference.
--   $1 unit             text[]   state, LGA, ward; empty for the index
--   $2 layer            text
--   $3 attribute        text     as in unit_total
--   $4 other_unit       text[]
--   $5 other_layer      text
--   $6 other_attribute  text
--   $7 times            numeric  1,000: to a thousand of the other
-- index: unit_once, unit_total_pkey
-- budget: buffers <= 120, rows read <= 500
-- example: '{marembe}', 'lyr_schools', 'features', '{marembe}', 'lyr_population', 'pop_demest26', 10000
with asked as materialized (  -- the two totals
  select given.place, total.number, coalesce(total.recorded, 0) as recorded, unit.frames, dataset.kind
  from (
    values (1, $1::text[], $2::text, $3::text), (2, $4::text[], $5::text, $6::text)
  ) as given (place, path, layer_id, attribute)
  join dataset using (layer_id)
  join unit on unit.level = (array['country', 'state', 'lga', 'ward'])[1 + cardinality(given.path)]
    and coalesce(unit.state, '') = coalesce(fold_name(given.path[1]), '')
    and coalesce(unit.lga, '') = coalesce(fold_name(given.path[2]), '')
    and coalesce(unit.ward, '') = coalesce(fold_name(given.path[3]), '') and coalesce(unit.block, -1) = -1
  left join unit_total as total
    on total.version = dataset.version and total.attribute = given.attribute and total.unit_id = unit.unit_id
), pair as (  -- one row; a unit without a feature has none of them
  select
    one.recorded, one.frames, other.recorded as other_recorded, other.frames as other_frames,
    case when one.number is null and one.kind <> 'frames' then 0 else one.number end as number,
    case when other.number is null and other.kind <> 'frames' then 0 else other.number end as other_number
  from asked as one
  join asked as other on one.place = 1 and other.place = 2
)
select
  recorded::int as recorded, frames::int as frames, other_recorded::int as "otherRecorded", other_frames::int as "otherFrames",
  trim_scale(number)::text as number, trim_scale(other_number)::text as "otherNumber",
  -- a small quotient has two digits that are not zero
  trim_scale(round(ratio, greatest(2, coalesce(1 - floor(log(nullif(abs(ratio), 0))), 2))::int))::text as ratio,
  trim_scale(round(100 * share, greatest(1, coalesce(1 - floor(log(nullif(abs(100 * share), 0))), 1))::int))::text as percent,
  trim_scale(number - other_number)::text as difference,
  trim_scale(round(100 * (number - other_number) / nullif(abs(other_number), 0), 1))::text as change
from pair
cross join lateral (
  select $7::numeric * number / nullif(other_number, 0) as ratio, number / nullif(other_number, 0) as share
) as divided

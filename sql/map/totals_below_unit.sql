-- totals_below_unit: the units of one level in a unit above, with their totals of an attribute, the largest first.
--   $1 level      text  state, lga or ward
--   $2 state      text  any case; blank for all states
--   $3 lga        text  blank for all LGAs
--   $4 layer      text
--   $5 attribute  text  as in unit_total
-- index: unit_once, unit_area_pkey, unit_total_pkey, unit_interval_pkey
-- budget: buffers <= 500 + 10 * rows, rows read <= 16000 + 5 * rows
-- example: 'ward', 'marembe', 'lakeside', 'lyr_population', 'pop_demest26'
-- Units without a total come last. Bounds are exact.
-- null: lga, ward, number, class, classFrames, km2, lower, upper
with chosen as materialized (  -- the version of the dataset that is served
  select version from dataset where layer_id = $4::text
)
select
  unit.state as state,
  unit.lga as lga,
  unit.ward as ward,
  trim_scale(
    round(total.number, greatest(2, coalesce(1 - floor(log(nullif(abs(total.number), 0))), 2))::int)
  )::text as number,
  total.class as class,
  total.class_frames::int as "classFrames",
  coalesce(total.recorded, 0)::int as recorded,
  unit.frames::int as frames,
  unit_area.area_km2::float8 as km2,
  trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper
from unit
left join unit_area on unit_area.unit_id = unit.unit_id
left join unit_total as total
  on total.version = (select version from chosen) and total.attribute = $5::text and total.unit_id = unit.unit_id
left join unit_interval as bound
  on bound.version = (select version from chosen) and bound.attribute = $5::text and bound.unit_id = unit.unit_id
where unit.level = $1::text
  and ($2::text = '' or unit.state = fold_name($2::text))
  and ($3::text = '' or unit.lga = fold_name($3::text))
order by total.number desc nulls last, unit.state collate "C", unit.lga collate "C", unit.ward collate "C"

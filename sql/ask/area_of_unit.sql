-- area_of_unit: the land of a unit, and the density of a total.
--   $1 unit       text[]  state, LGA, ward; empty for the index
--   $2 layer      text
--   $3 attribute  text    as in unit_total
-- index: frame_state_frame_id_idx, frame_state_lga_ward_frame_id_idx, unit_once, unit_total_pkey
-- budget: buffers <= 60000, rows read <= 600000
-- example: '{marembe,lakeside}', 'lyr_population', 'pop_demest26'
-- There is a density of features, and where every frame records a value.
with asked as materialized (  -- the unit, with the total of the attribute
  select unit.unit_id, unit.frames, dataset.kind, total.number, total.recorded
  from unit
  left join dataset on dataset.layer_id = $2::text
  left join unit_total as total
    on total.version = dataset.version and total.attribute = $3::text and total.unit_id = unit.unit_id
  where unit.level = (array['country', 'state', 'lga', 'ward'])[1 + cardinality($1::text[])]
    and coalesce(unit.state, '') = coalesce(fold_name(($1::text[])[1]), '')
    and coalesce(unit.lga, '') = coalesce(fold_name(($1::text[])[2]), '')
    and coalesce(unit.ward, '') = coalesce(fold_name(($1::text[])[3]), '') and coalesce(unit.block, -1) = -1
), land as (  -- one row, with the land of the frames; a branch whose level is another one is not run
  select sum(area_km2) as km2
  from (
    select found.area_km2
    from state
    cross join lateral (select * from frame where frame.state = state.state offset 0) as found
    where cardinality($1::text[]) = 0
    union all
    select area_km2 from frame where cardinality($1::text[]) = 0 and state is null
    union all
    select area_km2 from frame where cardinality($1::text[]) = 1 and state = fold_name(($1::text[])[1])
    union all
    select area_km2 from frame
    where cardinality($1::text[]) = 2 and state = fold_name(($1::text[])[1]) and lga = fold_name(($1::text[])[2])
    union all
    select area_km2 from frame
    where cardinality($1::text[]) = 3 and state = fold_name(($1::text[])[1]) and lga = fold_name(($1::text[])[2])
      and ward = fold_name(($1::text[])[3])
  ) as placed
)
select
  asked.frames::int as frames, coalesce(asked.recorded, 0)::int as recorded, trim_scale(round(land.km2, 2))::text as km2,
  -- a small density has two digits that are not zero
  trim_scale(round(quotient, greatest(2, coalesce(1 - floor(log(nullif(abs(quotient), 0))), 2))::int))::text as density
from asked
cross join land
cross join lateral (
  select case
    when asked.kind <> 'frames' then coalesce(asked.number, 0) / nullif(land.km2, 0)
    when asked.recorded = asked.frames then asked.number / nullif(land.km2, 0)
  end as quotient
) as divided

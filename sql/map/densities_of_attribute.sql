-- densities_of_attribute: how the totals of an attribute for each km² spread over states, LGAs and wards.
--   $1 layer      text
--   $2 attribute  text  as in unit_total
-- index: unit_total_pkey
-- budget: buffers <= 600, rows read <= 20000
-- example: 'lyr_population', 'pop_demest26'
-- reads all of: unit
-- Reads the whole table, which is small.
-- Breaks and bins are made as function spread_enter makes those of totals.
-- kind: level lga|state|ward
with part as materialized (  -- the units, and their land
  select unit_id, level, km2
  from unit
  where level in ('state', 'lga', 'ward')
), total as materialized (  -- one row for each unit with a total: one range of the index has them
  select unit_id, number
  from unit_total
  where unit_total.version = (select version from dataset where layer_id = $1::text)
    and unit_total.attribute = $2::text and unit_total.number is not null
), density as materialized (  -- one row for each part with a total
  select part.level, total.number / part.km2 as number
  from part
  join total using (unit_id)
  where part.km2 > 0
), figure as (  -- the ends of each level, and the bounds of its classes
  select level, min(number) as lowest, max(number) as highest,
    percentile_disc(array[1 / 7.0, 2 / 7.0, 3 / 7.0, 4 / 7.0, 5 / 7.0, 6 / 7.0]::float8[]) within group (order by number)
      filter (where number <> 0) as breaks,
    min(number) >= 0 and percentile_disc(0.5) within group (order by number) < max(number) / 20 as is_skewed
  from density
  group by level
), bin as (  -- the numbers in each bin that has any
  select level, spread_bin(density.number, lowest, highest, is_skewed) as bin, count(*) as numbers
  from density join figure using (level)
  group by level, 2
)
select
  figure.level as level,
  figure.lowest::float8 as lowest,
  figure.highest::float8 as highest,
  coalesce(figure.breaks::float8[], '{}') as breaks,
  array(
    select coalesce(bin.numbers, 0)::float8
    from generate_series(1, case when is_skewed then 21 else 20 end) as place
    left join bin on bin.level = figure.level and bin.bin = place
    order by place
  ) as bins
from figure

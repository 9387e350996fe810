-- spread_of_change: how far an attribute differs from another in blocks, in percent of the other, up or down.
--   $1 layer      text
--   $2 attribute  text  as in unit_total
--   $3 before     text  the dataset of the other
--   $4 other      text
-- index: unit_total_pkey
-- budget: buffers <= 400, rows read <= 30000
-- example: 'lyr_population', 'pop_demest26', 'lyr_population', 'pop_demest25'
-- Compares blocks of which as many frames record both. Two numbers part those that change into three groups of one size.
-- null: low, high
with chosen as materialized (  -- the versions of both datasets that are served
  select
    (select version from dataset where layer_id = $1::text) as version,
    (select version from dataset where layer_id = $3::text) as before
), now as materialized (  -- one row for each block; the ids of blocks begin at 10,000,000
  select unit_id, number, recorded from unit_total
  where version = (select version from chosen) and attribute = $2::text and unit_id >= 10000000
), earlier as materialized (  -- the same of the other attribute
  select unit_id, number, recorded from unit_total
  where version = (select before from chosen) and attribute = $4::text and unit_id >= 10000000
), change as (  -- one row for each block that changed
  select abs(100 * (now.number - earlier.number) / nullif(earlier.number, 0)) as percent
  from now
  join earlier using (unit_id)
  where now.recorded = earlier.recorded and now.number <> earlier.number
)
select
  (percentile_disc(1 / 3.0) within group (order by percent))::float8 as low,
  (percentile_disc(2 / 3.0) within group (order by percent))::float8 as high
from change

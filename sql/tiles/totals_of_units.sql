-- totals_of_units: the total of an attribute over each unit or block; no row for one without.
--   $1 ids        bigint[]
--   $2 layer      text  the dataset
--   $3 attribute  text  as profile.sql names it
-- index: unit_total_pkey
-- budget: buffers <= 60 + 5 * rows, rows read <= 200 + 2 * rows
-- example: '{1}', 'lyr_population', 'pop_demest25'
with chosen as materialized (  -- the version of the dataset that is served
  select version from dataset where layer_id = $2::text
)
select asked.unit_id::text as id, total.number::float8 as value, total.recorded::int as recorded
from unnest($1::bigint[]) as asked (unit_id)
cross join chosen
cross join lateral (
  select number, recorded from unit_total
  where unit_total.version = chosen.version and unit_total.attribute = $3::text and unit_total.unit_id = asked.unit_id
  limit 1
) as total
where total.number is not null

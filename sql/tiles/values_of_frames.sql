-- values_of_frames: the number that an attribute of a baseline has on each frame; no row for a frame without one.
--   $1 ids        bigint[]
--   $2 layer      text  the baseline
--   $3 attribute  text
-- index: baseline_row_pkey
-- budget: buffers <= 60 + 7 * rows, rows read <= 200 + 2.2 * rows
-- at worst: buffers <= 20000, rows read <= 10000
-- example: '{324378020}', 'lyr_population', 'pop_demest25'
with chosen as materialized (  -- the version of the dataset that is served
  select version from dataset where layer_id = $2::text and kind = 'frames'
), read as materialized (  -- one row for each frame that has a record
  select asked.frame_id, plain_number(nullif(btrim(found.recorded ->> $3::text), ''))::float8 as value
  from unnest($1::bigint[]) as asked (frame_id)
  cross join chosen
  cross join lateral (
    select recorded from baseline_row
    where baseline_row.version = chosen.version and baseline_row.frame_id = asked.frame_id
    limit 1
  ) as found
)
select frame_id::text as id, value as value from read where value is not null

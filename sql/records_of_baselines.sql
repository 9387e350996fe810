-- records_of_baselines: the values that baselines record on frames; no row where a baseline records nothing.
--   $1 ids     bigint[]  frame ids, each once
--   $2 layers  text[]    baseline datasets
-- index: baseline_row_pkey
-- budget: buffers <= 8 + 5 * ids * layers, rows read <= 120 + ids * layers
-- example: '{322074005,322074006}', '{lyr_population,lyr_terrain}'
-- Only this statement reads the version, so that all rows of a dataset are of one import.
with asked as (  -- one row for each id, with its place among $1
  select frame_id, place
  from unnest($1::bigint[]) with ordinality as id (frame_id, place)
), layer as materialized (  -- one row for each dataset that exists, with its place among $2
  select dataset.version, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  order by given.place
)
select asked.place::int as place, layer.place::int as layer, found.recorded::text as recorded
from layer
cross join asked
cross join lateral (
  -- "limit 1" keeps to one visit of the index for each dataset and frame: a plain join may read all rows of a dataset
  select recorded
  from baseline_row
  where baseline_row.version = layer.version and baseline_row.frame_id = asked.frame_id
  limit 1
) as found

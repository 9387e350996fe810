-- records_of_baselines: what baselines record on these frames; no row where a baseline records nothing.
--   $1 ids     bigint[]  frame ids, each once
--   $2 layers  text[]    baseline datasets
-- index: baseline_row_pkey
-- budget: buffers <= 8 + 5 * ids * layers, rows read <= 120 + ids * layers
-- "limit 1" holds it to one visit of the index a dataset and frame: joined freely, all rows of a dataset may be read.
-- The version is read here and nowhere else, so that the rows of a dataset are all of one import.
with asked as (
  select frame_id, place
  from unnest($1::bigint[]) with ordinality as id (frame_id, place)
), layer as materialized (
  select dataset.version, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  order by given.place
)
select asked.place::int as place, layer.place::int as layer, found.recorded::text as recorded
from layer
cross join asked
cross join lateral (
  select recorded
  from baseline_row
  where baseline_row.version = layer.version and baseline_row.frame_id = asked.frame_id
  limit 1
) as found

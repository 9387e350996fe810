-- datasets_contributing: which of these datasets record something on these frames; no row for one that records nothing.
--   $1 ids     bigint[]  frame ids, each once
--   $2 layers  text[]    dataset ids, each once
-- index: frame_pkey, baseline_row_pkey, feature_frame_pkey
-- budget: buffers <= 20 + 6 * ids + 5 * ids * layers, rows read <= 120 + ids + ids * layers
-- example: '{322074005,322074006}', '{lyr_population,lyr_schools}'
-- Each dataset is searched up to its first record. "limit 1" keeps each search to one visit of the index.
with asked as (  -- one row for each id that the index knows
  select frame_id
  from unnest($1::bigint[]) as id (frame_id)
  join frame using (frame_id)
), layer as materialized (  -- one row for each dataset that exists, with its place among $2
  select dataset.layer_id, dataset.version, dataset.kind, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  order by given.place
)
select layer.layer_id as "layerId"
from layer
cross join lateral (
  select asked.frame_id
  from asked
  cross join lateral (
    (
      select frame_id from baseline_row
      where layer.kind = 'frames' and baseline_row.version = layer.version and baseline_row.frame_id = asked.frame_id
      limit 1
    )
    union all
    (
      select frame_id from feature_frame
      where layer.kind <> 'frames' and feature_frame.version = layer.version and feature_frame.frame_id = asked.frame_id
      limit 1
    )
  ) as found
  limit 1
) as recorded
order by layer.place

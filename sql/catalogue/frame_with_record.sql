-- frame_with_record: the lowest frame on which a dataset records something, for an example; no row where there is none.
--   $1 layer  text
-- index: baseline_row_pkey, feature_frame_pkey
-- budget: buffers <= 30, rows read <= 1200
-- example: 'lyr_population'
with asked as materialized (  -- the version of the dataset that is served
  select version, kind from dataset where layer_id = $1::text
)
select lowest.frame_id::text as id
from asked
cross join lateral (
  (select frame_id from baseline_row where asked.kind = 'frames' and version = asked.version order by frame_id limit 1)
  union all
  (select frame_id from feature_frame where asked.kind <> 'frames' and version = asked.version order by frame_id limit 1)
) as lowest

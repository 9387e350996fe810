-- features_per_frame: the number of features of each dataset on each frame; no row for a frame without any.
--   $1 frames  text[]  a frame_set
--   $2 layers  text[]    feature datasets
-- index: feature_frame_pkey
-- budget: buffers <= 10 + 4 * frames * layers, rows read <= 120 + 10 * frames * layers
-- at worst: buffers <= 20 + 6 * frames * layers, rows read <= 2000
-- example: '{322074005,322074006}', '{lyr_schools,lyr_roads}'
with layer as materialized (  -- one row for each dataset that exists, with its place among $2
  select dataset.version, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  order by given.place
)
select layer.place::int as layer, asked.place::int as place, found.features::int as features
from layer
cross join unnest(frame_set($1::text[])) with ordinality as asked (frame_id, place)
cross join lateral (
  select count(*) as features
  from feature_frame
  where feature_frame.version = layer.version and feature_frame.frame_id = asked.frame_id
) as found
where found.features > 0

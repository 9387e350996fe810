-- names_of_features: the names of the features on these frames, each feature once, in the order of their ids.
--   $1 frames  text[]  a frame_set
--   $2 layer  text      a feature dataset
--   $3 most   int       names
-- index: feature_frame_pkey, feature_pkey
-- budget: buffers <= 100 + 4 * frames + 4 * most, rows read <= 300 + 20 * frames + 4 * most
-- at worst: buffers <= 200 + 6 * frames + 4 * most, rows read <= 3000
-- example: '{322074005,322074006}', 'lyr_schools', 10
-- A feature without a name has its id.
with inside as materialized (  -- the features on the frames
  select distinct feature_frame.version, feature_no
  from dataset
  cross join unnest(frame_set($1::text[])) as asked (frame_id)
  join feature_frame on feature_frame.version = dataset.version and feature_frame.frame_id = asked.frame_id
  where dataset.layer_id = $2::text
), first as (  -- as many of them as are named
  select version, feature_no from inside order by feature_no limit $3::int
)
select
  (select count(*) from inside)::int as features,
  coalesce(array_agg(coalesce(nullif(btrim(readable_json(properties) ->> 'name'), ''), feature_id) order by feature_no), '{}') as names
from first
join feature using (version, feature_no)

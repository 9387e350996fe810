-- frames_with_property: the frames with a feature whose property has a value, and the other frames with a feature.
--   $1 frames    text[]  a frame_set
--   $2 layer     text      a feature dataset
--   $3 property  text
--   $4 value     text
-- index: feature_frame_pkey, feature_pkey
-- budget: buffers <= 100 + 30 * frames, rows read <= 300 + 40 * frames
-- at worst: buffers <= 4000 + 10 * frames, rows read <= 6000
-- example: '{322074005,322074006}', 'lyr_schools', 'level', 'Secondary'
-- null: $3
with found as (  -- the frames that have features with the property
  select asked.frame_id, asked.place, bool_or(btrim(readable_json(properties) ->> $3::text) = $4::text) as has
  from dataset
  cross join unnest(frame_set($1::text[])) with ordinality as asked (frame_id, place)
  join feature_frame on feature_frame.version = dataset.version and feature_frame.frame_id = asked.frame_id
  join feature on feature.version = feature_frame.version and feature.feature_no = feature_frame.feature_no
  where dataset.layer_id = $2::text and btrim(readable_json(properties) ->> $3::text) <> ''
  group by asked.frame_id, asked.place
)
select
  count(*)::int as recorded,
  coalesce(array_agg(frame_id::text order by place) filter (where has), '{}') as ids,
  coalesce(array_agg(frame_id::text order by place) filter (where not has), '{}') as others
from found

-- extent_of_features: the length of lines and the area of polygons inside these frames, on the spheroid.
--   $1 frames  text[]  a frame_set
--   $2 layer  text      a feature dataset
-- index: feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 100 + 30 * frames, rows read <= 300 + 40 * frames
-- at worst: buffers <= 4000 + 20 * frames, rows read <= 6000
-- example: '{322074005,322074006}', 'lyr_roads'
-- The frames are united first: a line on the edge between two of them counts once. So does land that two polygons cover.
-- null: km, km2
with inside as (  -- the features on the frames
  select distinct feature_frame.version, feature_no
  from dataset
  cross join unnest(frame_set($1::text[])) as asked (frame_id)
  join feature_frame on feature_frame.version = dataset.version and feature_frame.frame_id = asked.frame_id
  where dataset.layer_id = $2::text
), land as materialized (  -- the frames, united
  select ST_Union(geom) as geom from unnest(frame_set($1::text[])) as asked (frame_id) join frame using (frame_id)
), covered as (  -- what the features cover of it
  select count(*) as features, ST_Union(ST_Intersection(feature.geom, land.geom)) as geom
  from inside
  join feature using (version, feature_no)
  cross join land
)
select
  features::int as features,
  trim_scale(round((ST_Length(ST_CollectionExtract(geom, 2)::geography) / 1000)::numeric, 2))::text as km,
  trim_scale(round((ST_Area(ST_CollectionExtract(geom, 3)::geography) / 1000000)::numeric, 2))::text as km2
from covered

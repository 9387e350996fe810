-- feature_described: a feature of a dataset, with the frames that it intersects; no row for one that the dataset lacks.
--   $1 layer  text
--   $2 no     int   its place among the features of the dataset
--   $3 id     text  its id: another import may have put another feature there
--   $4 most   int   frames at the most
-- index: feature_pkey, feature_frame_feature_idx
-- budget: buffers <= 40, rows read <= 200 + most
-- example: 'lyr_schools', 1, 'school_001', 20
select
  case when ST_NPoints(feature.geom) <= 5000 then feature.geojson else ST_AsGeoJSON(ST_Simplify(feature.geom, 0.001, true), 6) end as geometry,
  feature.properties::text as properties,
  ST_XMin(feature.geom)::float8 as "minLon",
  ST_YMin(feature.geom)::float8 as "minLat",
  ST_XMax(feature.geom)::float8 as "maxLon",
  ST_YMax(feature.geom)::float8 as "maxLat",
  array(
    select feature_frame.frame_id::text from feature_frame
    where feature_frame.version = feature.version and feature_frame.feature_no = feature.feature_no
    order by feature_frame.frame_id
    limit $4::int
  ) as frames
from dataset
join feature on feature.version = dataset.version
where dataset.layer_id = $1::text and feature.feature_no = $2::int and feature.feature_id = $3::text

-- features_outside: how many features of a dataset touch no frame: no call of the API finds them.
--   $1 layer  text  dataset id
-- example: 'lyr_schools'
select count(*)::int as outside
from dataset
join feature using (version)
where dataset.layer_id = $1::text and not exists (
  select from feature_frame where feature_frame.version = feature.version and feature_frame.feature_no = feature.feature_no
)

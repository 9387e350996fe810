-- features_page: features of a dataset with their shapes and properties, in the order of their numbers.
--   $1 layer  text
--   $2 after  int   number of the feature that the page comes after; 0 for the first page
--   $3 most   int   features at the most
-- index: feature_pkey
-- budget: buffers <= 30 + 4 * rows, rows read <= 120 + 3 * rows
-- example: 'lyr_schools', 0, 3
-- Only this statement reads the version, so that all rows of a page are of one import.
select feature.feature_no::int as number, feature.feature_id as id, feature.geojson as geometry, feature.properties::text as properties
from (select version from dataset where layer_id = $1::text) as served
cross join lateral (
  -- the "limit" keeps to the order of the index: a plain join reads and sorts all features of the dataset
  select * from feature
  where feature.version = served.version and feature_no > $2::int
  order by feature_no
  limit $3::int
) as feature
order by feature.feature_no

-- features_put: keeps the staged features, numbered by their ids, under a version that nobody reads yet.
--   $1 version  bigint
-- example: 1000000
-- Ids of digits come first, in the order of their numbers.
insert into feature (version, feature_no, feature_id, geom, properties)
select $1::bigint,
  row_number() over (
    order by case when feature_id ~ '^\d{1,18}$' then feature_id::bigint end nulls last, feature_id collate "C"
  ),
  feature_id, geom, properties::json
from staging.feature_source

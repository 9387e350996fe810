-- features_put: makes features of those taken in, numbered in the order of their ids, under a version nobody reads yet.
--   $1 version  bigint
-- Ids of digits are in the order of their numbers, before all others.
insert into feature (version, feature_no, feature_id, geom, properties)
select $1::bigint,
  row_number() over (
    order by case when feature_id ~ '^\d{1,18}$' then feature_id::bigint end nulls last, feature_id collate "C"
  ),
  feature_id, geom, properties::json
from staging.feature_source

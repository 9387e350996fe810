-- datasets_drop: removes datasets with all that is kept of them; licences and attributes go by foreign keys.
--   $1 layers    text[]  datasets, each with its distances
--   $2 features  text[]  datasets of which only the distances go
-- example: '{lyr_terrain}', '{lyr_schools}'
with gone as (  -- the datasets
  delete from dataset
  where layer_id = any ($1::text[]) or distance_to = any ($1::text[] || $2::text[])
  returning layer_id, kind, version, items, (select count(*) from licence where licence.layer_id = dataset.layer_id) as licences
), rows_removed as (  -- their rows
  delete from baseline_row where version in (select version from gone)
), values_removed as (  -- the values of these
  delete from value_row where version in (select version from gone)
), features_removed as (  -- their features
  delete from feature where version in (select version from gone)
), frames_removed as (  -- the frames of their features
  delete from feature_frame where version in (select version from gone)
), totals_removed as (  -- their totals
  delete from unit_total where version in (select version from gone)
), classes_removed as (  -- the classes of their blocks
  delete from block_class where version in (select version from gone)
), wide_removed as (  -- their features that lie in several blocks
  delete from block_feature where version in (select version from gone)
), bounds_removed as (  -- the bounds of their values
  delete from frame_interval where version in (select version from gone)
), intervals_removed as (  -- the bounds of their totals
  delete from unit_interval where version in (select version from gone)
), arrays_removed as (  -- the arrays of their values
  delete from value_array where version in (select version from gone)
), spread_removed as (  -- the spread of their values
  delete from attribute_spread where version in (select version from gone)
)
select layer_id as "layerId", kind, items::int as items, licences::int as licences, analyst_drop(layer_id) as view
from gone
order by length(layer_id)

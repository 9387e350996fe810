-- distances_drop: removes the distances to the features of a dataset.
--   $1 layer  text  dataset id of the features
-- example: 'lyr_schools'
with gone as (  -- the dataset that has them
  delete from dataset where distance_to = $1::text returning layer_id, version
), rows_removed as (  -- its rows
  delete from baseline_row where version in (select version from gone)
), totals_removed as (  -- its totals
  delete from unit_total where version in (select version from gone)
), classes_removed as (  -- the classes of its blocks
  delete from block_class where version in (select version from gone)
), spread_removed as (  -- the spread of its values
  delete from attribute_spread where version in (select version from gone)
)
select layer_id as "layerId" from gone

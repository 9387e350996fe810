-- versions_left: rows of datasets that were replaced or removed, which nothing reads.
-- index: baseline_row_pkey, value_row_pkey, feature_pkey, feature_frame_pkey, unit_total_pkey, block_class_pkey, block_feature_pkey, frame_interval_pkey, value_array_pkey
-- The statement steps from version to version in each index instead of reading millions of rows.
with recursive of_baseline (version) as (  -- one row per version in baseline_row, and a null at the end
  select min(version) from baseline_row
  union all
  select (select min(version) from baseline_row where version > before.version) from of_baseline as before where before.version is not null
), of_value (version) as (  -- the same of value_row
  select min(version) from value_row
  union all
  select (select min(version) from value_row where version > before.version) from of_value as before where before.version is not null
), of_feature (version) as (  -- the same of feature
  select min(version) from feature
  union all
  select (select min(version) from feature where version > before.version) from of_feature as before where before.version is not null
), of_frame (version) as (  -- the same of feature_frame
  select min(version) from feature_frame
  union all
  select (select min(version) from feature_frame where version > before.version) from of_frame as before where before.version is not null
), of_total (version) as (  -- the same of unit_total
  select min(version) from unit_total
  union all
  select (select min(version) from unit_total where version > before.version) from of_total as before where before.version is not null
), of_class (version) as (  -- the same of block_class
  select min(version) from block_class
  union all
  select (select min(version) from block_class where version > before.version) from of_class as before where before.version is not null
), of_wide (version) as (  -- the same of block_feature
  select min(version) from block_feature
  union all
  select (select min(version) from block_feature where version > before.version) from of_wide as before where before.version is not null
), of_bounds (version) as (  -- the same of frame_interval
  select min(version) from frame_interval
  union all
  select (select min(version) from frame_interval where version > before.version) from of_bounds as before where before.version is not null
), of_array (version) as (  -- the same of value_array, in which the index itself has version 0
  select min(version) from value_array where version > 0
  union all
  select (select min(version) from value_array where version > before.version) from of_array as before where before.version is not null
), known (on_table, version) as (  -- one row per table and version
  select 'baseline_row', version from of_baseline
  union all
  select 'value_row', version from of_value
  union all
  select 'feature', version from of_feature
  union all
  select 'feature_frame', version from of_frame
  union all
  select 'unit_total', version from of_total
  union all
  select 'block_class', version from of_class
  union all
  select 'block_feature', version from of_wide
  union all
  select 'frame_interval', version from of_bounds
  union all
  select 'value_array', version from of_array
)
select 'advice' as severity, on_table || ' has rows of version ' || version || ', which no dataset has.' as what,
  'delete from ' || on_table || ' where version = ' || version || ';' as fix
from known
where version is not null and version not in (select version from dataset)

-- figures_of_dataset: how the values of a dataset spread over frames, one row for each attribute that any frame records.
--   $1 layer  text
-- budget: buffers <= 60, rows read <= 1200
-- example: 'lyr_population'
-- Reads the whole table, which is small.
-- Bins are twenty of one width between the lowest and the highest number, counted on a sample of many frames. An
-- attribute of features is features, km or km2, as in unit_total.
-- null: lowest, highest
select
  spread.attribute as attribute,
  spread.recorded::float8 as recorded,
  spread.lacking::float8 as lacking,
  spread.sampled::float8 as sampled,
  trim_scale(spread.lowest)::text as lowest,
  trim_scale(spread.highest)::text as highest,
  coalesce(spread.bins::float8[], '{}') as bins
from dataset
join attribute_spread as spread on spread.version = dataset.version and spread.level = 'frame'
where dataset.layer_id = $1::text
order by spread.attribute

-- dataset_view: makes the view of a dataset for analysts, or gives it the columns that are new.
--   $1 layer  text  dataset id
-- example: 'lyr_population'
select analyst_dataset($1::text) as made

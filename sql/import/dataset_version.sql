-- dataset_version: the kind of a dataset and the version that is served.
--   $1 layer  text
-- index: dataset_pkey
-- example: 'lyr_schools'
select kind as kind, version::text as version from dataset where layer_id = $1::text

-- dataset_owner: the organisation that owns a dataset, and the features that it has distances to; no row for a dataset that is new.
--   $1 layer  text  dataset id
-- example: 'lyr_population'
select dataset.org_id as owner, organisation.name as name, dataset.distance_to as "distanceTo"
from dataset
join organisation using (org_id)
where dataset.layer_id = $1::text

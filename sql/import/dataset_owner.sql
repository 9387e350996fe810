-- dataset_owner: the organisation that owns a dataset; no row for a dataset that is new.
--   $1 layer  text  dataset id
-- example: 'lyr_population'
select dataset.org_id as owner, organisation.name as name
from dataset
join organisation using (org_id)
where dataset.layer_id = $1::text

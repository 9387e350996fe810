-- views_missing: makes the views of datasets that schema analyst lacks, where this role may; no row when it has all.
-- An import serves its rows before it makes the view. The next command makes it where the import ended in between.
select layer_id as "layerId", analyst_dataset(layer_id) as made
from dataset
where to_regclass(format('analyst.%I', analyst_name(layer_id))) is null and has_schema_privilege('analyst', 'create')
order by layer_id

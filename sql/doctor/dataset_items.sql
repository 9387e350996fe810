-- dataset_items: datasets with other numbers of rows or features than were counted at import.
with counted as (
  select version, count(*) as items from baseline_row group by version
  union all
  select version, count(*) as items from feature group by version
)
select 'wrong' as severity,
  dataset.layer_id || ' was imported with ' || dataset.items || ' rows, there are ' || coalesce(counted.items, 0) || '.' as what,
  format('-- Import it again, or, where that is what you want:%supdate dataset set items = %s where layer_id = %L;', E'\n',
    coalesce(counted.items, 0), dataset.layer_id) as mend
from dataset
left join counted using (version)
where dataset.items <> coalesce(counted.items, 0)

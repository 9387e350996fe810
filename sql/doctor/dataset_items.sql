-- dataset_items: datasets whose rows or features differ from the count at import, or that share a version.
-- More rows than were counted may belong to another import. A corrected count would give them to this dataset for
-- good, so the check offers it only where rows are lost and nothing else has this version.
with counted as (  -- one row per version and kind, with the number of rows or features
  select version, count(*) as items, 'frames' as kind from baseline_row group by version
  union all
  select version, count(*), 'features' from feature group by version
), held as (  -- one row per dataset: rows of its own kind, all rows of its version, and the datasets of that version
  select dataset.layer_id, dataset.items, dataset.version,
    coalesce(sum(counted.items) filter (where (counted.kind = 'frames') = (dataset.kind = 'frames')), 0) as own,
    coalesce(sum(counted.items), 0) as every,
    (select string_agg(other.layer_id, ', ' order by other.layer_id) from dataset as other
      where other.version = dataset.version and other.layer_id <> dataset.layer_id) as others
  from dataset
  left join counted using (version)
  group by dataset.layer_id, dataset.items, dataset.version, dataset.kind
)
select 'wrong' as severity,
  case
    when others is not null then layer_id || ' has version ' || version || ', and so has ' || others || ': each is answered with the rows of all.'
    when every > own then layer_id || ' has version ' || version || ', under which there are ' || every - own || ' rows of another kind too.'
    else layer_id || ' was imported with ' || items || ' rows, there are ' || own || '.'
  end as what,
  case
    when others is not null then '-- Import ' || layer_id || ' and ' || others || ' again: each import has a version of its own.'
    when every > own or own > items then '-- Import ' || layer_id || ' again: rows of another import are among its own.'
    else format(E'-- Import it again, or, where the rows that are lost do not matter:\nupdate dataset set items = %s where layer_id = %L;', own, layer_id)
  end as fix
from held
where items <> own or every <> own or others is not null

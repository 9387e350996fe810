-- rows_lacking: the baselines whose rows no release has kept as numbers and texts, in the order of their ids.
select layer_id as layer
from dataset
where kind = 'frames' and items > 0 and exists (select from attribute where attribute.layer_id = dataset.layer_id)
  and not exists (select from value_row where value_row.version = dataset.version)
order by layer_id

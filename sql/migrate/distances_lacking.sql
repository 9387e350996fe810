-- distances_lacking: datasets of features to which no distances are kept.
select layer_id as layer
from dataset as target
where kind <> 'frames' and not exists (select from dataset where dataset.distance_to = target.layer_id)
order by layer_id

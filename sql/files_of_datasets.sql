-- files_of_datasets: the size and the origin of each dataset; no row for one that does not exist.
--   $1 layers  text[]  dataset ids, each once
-- budget: buffers <= 20, rows read <= 1200
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
select
  dataset.layer_id as "layerId",
  dataset.items::float8 as items,
  dataset.origin::text as origin
from unnest($1::text[]) as given (layer_id)
join dataset using (layer_id)
order by dataset.layer_id collate "C"

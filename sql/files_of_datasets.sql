-- files_of_datasets: when the file of each dataset changed last, and its origin; no row for one that does not exist.
--   $1 layers  text[]  dataset ids, each once
-- budget: buffers <= 20, rows read <= 1200
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
-- The file of a baseline has the units of its frames: it changes with the index, too.
select
  dataset.layer_id as "layerId",
  dataset.items::float8 as items,
  dataset.origin::text as origin,
  to_char(
    (case when dataset.kind = 'frames' then greatest(dataset.imported_at, switched_at) else dataset.imported_at end) at time zone 'UTC',
    'YYYYMMDD"T"HH24MISSUS"Z"'
  ) as version
from unnest($1::text[]) as given (layer_id)
join dataset using (layer_id)
cross join index_generation
order by dataset.layer_id collate "C"

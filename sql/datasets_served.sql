-- datasets_served: what these datasets are, in the order given; no row for one that is not there.
--   $1 layers  text[]  dataset ids, each once
-- budget: buffers <= 6 + 0.1 * layers, rows read <= 120
-- Reads the whole table, which is small.
-- Asked of the server that the rows are read from, and before them. A database put back from a backup counts its versions
-- anew: the time of the import goes with the number.
select
  dataset.layer_id as "layerId",
  dataset.name as name,
  dataset.category as category,
  dataset.kind as kind,
  dataset.org_id as "orgId",
  dataset.vintage as vintage,
  concat(dataset.version, ' ', dataset.imported_at) as version
from unnest($1::text[]) with ordinality as given (layer_id, place)
join dataset using (layer_id)
order by given.place

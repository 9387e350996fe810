-- datasets_served: the names, kinds and versions of datasets, in the order given; no row for one that does not exist.
--   $1 layers  text[]  dataset ids, each once
-- budget: buffers <= 6 + 0.1 * layers, rows read <= 120
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
-- The version has the time of the import too, since a database restored from a backup gives a number again.
-- A call reads it from the server of the records, before the records.
-- null: vintage, distanceTo
-- kind: kind frames|points|lines|polygons
select
  dataset.layer_id as "layerId",
  dataset.name as name,
  dataset.category as category,
  dataset.kind as kind,
  dataset.org_id as "orgId",
  dataset.vintage as vintage,
  dataset.distance_to as "distanceTo",
  concat(dataset.version, ' ', dataset.imported_at) as version
from unnest($1::text[]) with ordinality as given (layer_id, place)
join dataset using (layer_id)
order by given.place

-- datasets_served: the names, kinds and versions of datasets, in the order given; no row for one that does not exist.
--   $1 layers  text[]  dataset ids, each once
-- budget: buffers <= 6 + 0.1 * layers, rows read <= 120
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
-- The version is the time of the import: a database restored from a backup gives a number again. A baseline has the units of
-- its frames, and changes with the index, too.
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
  to_char(
    (case when dataset.kind = 'frames' then greatest(dataset.imported_at, switched_at) else dataset.imported_at end) at time zone 'UTC',
    'YYYYMMDD"T"HH24MISSUS"Z"'
  ) as version
from unnest($1::text[]) with ordinality as given (layer_id, place)
join dataset using (layer_id)
left join index_generation on true
order by given.place

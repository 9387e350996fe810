-- datasets_described: what a person reads of datasets, in the order given; no row for one that does not exist.
--   $1 layers  text[]  dataset ids, each once
--   $2 org_id  text    the organisation that asks: it may have a licence of its own
-- index: licence_once, organisation_pkey
-- budget: buffers <= 30 + 6 * layers, rows read <= 1200
-- example: '{lyr_population,lyr_schools}', 'org_000000000001'
-- Who may read a dataset, and at what price, is decided before: datasets_in_reach.
-- null: description
select
  dataset.layer_id as "layerId",
  dataset.description as description,
  dataset.origin::text as origin,
  owner.name as owner,
  owner.org_id = $2::text as "isOwn",
  granted.org_id is null as "isForEveryone",
  dataset.items::float8 as items,
  dataset.imported_at as "importedAt",
  analyst_name(dataset.layer_id) as "viewName"
from unnest($1::text[]) with ordinality as given (layer_id, place)
join dataset using (layer_id)
join organisation as owner on owner.org_id = dataset.org_id
left join lateral (
  select org_id from licence
  where licence.layer_id = coalesce(dataset.distance_to, dataset.layer_id) and (licence.org_id = $2::text or licence.org_id is null)
  order by org_id nulls last
  limit 1
) as granted on true
order by given.place

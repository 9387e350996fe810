-- file_sales: what versions of datasets cost an organisation as files, and whether it has paid; no row for no dataset.
--   $1 org       text    the organisation
--   $2 layers    text[]  dataset ids, each once
--   $3 versions  text[]  the version of each
-- index: paid_walk_pkey, licence_once
-- budget: buffers <= 20 + 10 * layers, rows read <= 1200
-- example: 'org_000000000001', '{lyr_population,lyr_schools}', '{20261129T083015123456Z,20261129T083015123456Z}'
-- No price: the owner sells no file. Distances are sold as their features are.
-- null: price
select
  dataset.layer_id as "layerId",
  granted.file_price as price,
  exists (
    select from paid_walk
    where org_id = $1::text and key_id = '' and walk = concat('file ', given.layer, ' ', given.version)
  ) as "isPaid"
from unnest($2::text[], $3::text[]) as given (layer, version)
join dataset on dataset.layer_id = given.layer
left join lateral (
  select file_price
  from licence
  where licence.layer_id = coalesce(dataset.distance_to, dataset.layer_id) and (licence.org_id = $1::text or licence.org_id is null)
  order by licence.org_id nulls last
  limit 1
) as granted on true
order by dataset.layer_id collate "C"

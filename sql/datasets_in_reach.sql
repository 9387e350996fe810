-- datasets_in_reach: the datasets that a key may read at this moment and what each costs, in order of their ids.
--   $1 org_id    text    the key's organisation
--   $2 narrowed  text[]  the datasets that the key is narrowed to; null for all
-- index: licence_once
-- budget: buffers <= 1000, rows read <= 400
-- example: 'org_000000000001', null
-- A key reads what its organisation owns, at no price, and what is licensed to it or to everyone (org_id null); the first
-- of these licences counts. Distances are read as their features are. There are tens of datasets: null for "all" is cheap.
-- null: price, $2
select
  dataset.layer_id as "layerId",
  case when dataset.org_id = $1::text then null else granted.price end as price
from dataset
left join lateral (
  select layer_id, price
  from licence
  where licence.layer_id = coalesce(dataset.distance_to, dataset.layer_id) and (licence.org_id = $1::text or licence.org_id is null)
  order by licence.org_id nulls last
  limit 1
) as granted on true
where (dataset.org_id = $1::text or granted.layer_id is not null)
  and ($2::text[] is null or coalesce(dataset.distance_to, dataset.layer_id) = any($2::text[]))
order by dataset.layer_id collate "C"

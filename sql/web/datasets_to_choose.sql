-- datasets_to_choose: the datasets that an organisation can read at this moment, with owner, kind, vintage and price.
--   $1 org_id  text
-- index: licence_once, organisation_pkey
-- budget: buffers <= 1000, rows read <= 800
-- example: 'org_000000000001'
-- The rule is that of datasets_in_reach: what the organisation owns, at no price, and what is licensed to it or to
-- everyone (org_id null); the first of these licences counts.
-- null: vintage, price
-- kind: kind frames|points|lines|polygons
select
  dataset.layer_id as "layerId",
  dataset.name as name,
  owner.name as owner,
  dataset.kind as kind,
  dataset.vintage as vintage,
  case when dataset.org_id = $1::text then null else granted.price end as price,
  dataset.org_id <> $1::text and granted.org_id is null as "isForEveryone",
  extract(epoch from owner.created_at)::float8 as "ownerSince"
from dataset
join organisation as owner on owner.org_id = dataset.org_id
left join lateral (
  select layer_id, org_id, price
  from licence
  where licence.layer_id = dataset.layer_id and (licence.org_id = $1::text or licence.org_id is null)
  order by licence.org_id nulls last
  limit 1
) as granted on true
where dataset.distance_to is null and (dataset.org_id = $1::text or granted.layer_id is not null)
order by dataset.name, dataset.layer_id

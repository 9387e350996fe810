-- attributes_of_datasets: the catalogue's entries of the attributes of datasets and of the properties of their features.
--   $1 layers  text[]  datasets
-- index: dataset_pkey
-- budget: buffers <= 30 + 6 * layers, rows read <= 4000
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
-- A property of features has no entry of its own: dataset.property_entries has what the owner says of it.
-- null: unit, weight, method, noun, plural, interval
-- kind: type number|category, summary sum|mean|weighted_mean|mode|none, interval draws|bounds
with layer as materialized (  -- one row for each id, with its place among $1
  select layer_id, place from unnest($1::text[]) with ordinality as given (layer_id, place)
)
select
  layer.place::int as layer, attribute.name as name, attribute.label as label, attribute.unit as unit, attribute.type as type,
  attribute.summary as summary, attribute.weight as weight, attribute.method as method, attribute.noun as noun, attribute.plural as plural,
  case when attribute.draws is not null then 'draws' when attribute.lower is not null then 'bounds' end as interval
from layer
join attribute using (layer_id)
union all
select
  layer.place::int as layer, property.name as name, coalesce(said ->> 'label', property.name) as label, said ->> 'unit' as unit,
  property.type as type, coalesce(said ->> 'summary', case property.type when 'number' then 'sum' else 'mode' end) as summary,
  null as weight, said ->> 'method' as method, said ->> 'noun' as noun, said ->> 'plural' as plural, null as interval
from layer
join dataset using (layer_id)
join property using (layer_id)
cross join lateral (select dataset.property_entries -> property.name as said) as entry

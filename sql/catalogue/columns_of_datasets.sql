-- columns_of_datasets: the attributes of datasets, in order, and the properties that their features commonly have.
--   $1 layers  text[]
-- budget: buffers <= 30 + 10 * layers, rows read <= 1200 + 100 * layers
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
with layer as materialized (  -- one row for each id, with its place among $1
  select layer_id, place from unnest($1::text[]) with ordinality as given (layer_id, place)
)
select
  layer.place::int as layer, attribute.place as place, attribute.name as name, attribute.label as label, attribute.unit as unit,
  attribute.type as type, attribute.summary as summary, attribute.weight as weight, attribute.method as method,
  attribute.description as description, attribute.synonyms as synonyms
from layer
join attribute using (layer_id)
union all
select
  layer.place::int as layer, 0 as place, property.name as name, property.name as label, null as unit,
  property.type as type, null as summary, null as weight, null as method,
  null as description, '{}'::text[] as synonyms
from layer
join property using (layer_id)
order by layer, place, name

-- attributes_of_datasets: the catalogue's entries of the attributes of datasets and of the properties of their features.
--   $1 layers  text[]  datasets
-- budget: buffers <= 30 + 6 * layers, rows read <= 4000
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
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
  layer.place::int as layer, property.name as name, property.name as label, null as unit, property.type as type,
  case property.type when 'number' then 'sum' else 'mode' end as summary, null as weight, null as method,
  null as noun, null as plural, null as interval
from layer
join property using (layer_id)

-- columns_of_datasets: the attributes of datasets, in order, and the properties that their features commonly have.
--   $1 layers  text[]
-- index: dataset_pkey, unit_interval_pkey
-- budget: buffers <= 30 + 10 * layers, rows read <= 1200 + 100 * layers
-- example: '{lyr_population,lyr_schools}'
-- Reads the whole table, which is small.
-- null: unit, summary, weight, method, description, lower, upper, draws
-- kind: type number|category, summary sum|mean|weighted_mean|mode|none
with layer as materialized (  -- one row for each id, with its place among $1
  select layer_id, place, version from unnest($1::text[]) with ordinality as given (layer_id, place) join dataset using (layer_id)
)
select
  layer.place::int as layer, attribute.place as place, attribute.name as name, attribute.label as label, attribute.unit as unit,
  attribute.type as type, attribute.summary as summary, attribute.weight as weight, attribute.method as method,
  attribute.description as description, attribute.synonyms as synonyms,
  attribute.lower as lower, attribute.upper as upper, drawn.draws as draws
from layer
join attribute using (layer_id)
left join lateral (  -- how many draws any unit has: all have as many
  select cardinality(draws) as draws
  from unit_interval
  where attribute.draws is not null and unit_interval.version = layer.version and unit_interval.attribute = attribute.name
  order by unit_id
  limit 1
) as drawn on true
union all
select
  layer.place::int as layer, 0 as place, property.name as name, coalesce(said ->> 'label', property.name) as label, said ->> 'unit' as unit,
  property.type as type, said ->> 'summary' as summary, null as weight, said ->> 'method' as method, said ->> 'description' as description,
  array(select jsonb_array_elements_text(said -> 'synonyms')) as synonyms, null as lower, null as upper, null as draws
from layer
join dataset using (layer_id)
join property using (layer_id)
cross join lateral (select dataset.property_entries -> property.name as said) as entry
order by layer, place, name

-- catalogue_of_datasets: the topics of datasets with their names and classes, and the stems of the words in them.
--   $1 layers  text[]  datasets
-- index: attribute_pkey, dataset_pkey
-- budget: buffers <= 30 + 10 * layers, rows read <= 1200 + 100 * layers
-- example: '{lyr_population,lyr_schools}'
-- A topic is an attribute of a baseline, the features of a dataset, or a property of features. A distance has the names of
-- its features: "distance to the clinic", "nearest clinic".
-- null: attribute, property, unit, stems
-- kind: type number|category|features, summary sum|mean|weighted_mean|mode|none|count
-- json: stems Record<string, string>
with layer as materialized (  -- one row for each dataset that exists, with its place among $1, and the names of its features
  select dataset.*, given.place, array_prepend(target.name, target.synonyms) as targets
  from unnest($1::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  left join dataset as target on target.layer_id = dataset.distance_to
), named as (  -- one row for each topic; the features come before their properties
  select layer.layer_id, layer.place as layer, attribute.place, attribute.name as attribute, null as property, attribute.label,
    case when layer.distance_to is null then attribute.synonyms else attribute.synonyms || array(
      select phrase || ' ' || target
      from unnest(layer.targets) as target
      cross join unnest(
        case attribute.type
          when 'number' then '{distance to,distance to nearest,nearest,closest,how far,how far nearest}'::text[]
          else '{distance band to,distance band to nearest,band of distance to,band of distance to nearest}'::text[]
        end
      ) as phrase
    ) end as synonyms, attribute.unit, attribute.type, attribute.summary,
    array_remove(array[attribute.noun, attribute.plural], null) as counted,
    attribute.verbs, attribute.adjectives, attribute.antonyms
  from layer
  join attribute on attribute.layer_id = layer.layer_id
  where layer.kind = 'frames'
  union all
  select layer_id, place, 0, null, null, name, array_append(synonyms, category), null, 'features', 'count', '{}', '{}', '{}', '{}'
  from layer
  where kind <> 'frames'
  union all
  select layer.layer_id, layer.place, 1, null, property.name, coalesce(said ->> 'label', property.name),
    array(select jsonb_array_elements_text(said -> 'synonyms')), said ->> 'unit', property.type,
    coalesce(said ->> 'summary', case property.type when 'number' then 'sum' else 'mode' end),
    array_remove(array[said ->> 'noun', said ->> 'plural'], null), array(select jsonb_array_elements_text(said -> 'verbs')),
    array(select jsonb_array_elements_text(said -> 'adjectives')), array(select jsonb_array_elements_text(said -> 'antonyms'))
  from layer
  join property on property.layer_id = layer.layer_id
  cross join lateral (select layer.property_entries -> property.name as said) as entry
), topic as materialized (  -- the same, with the classes of each and the names of its dataset
  select named.*, layer.synonyms || array[layer.name, layer.category] as dataset_names,
    array(
      select class.value from class
      where class.layer_id = named.layer_id and class.name = coalesce(named.attribute, named.property)
      order by class.value collate "C"
    ) as classes,
    row_number() over (order by named.layer, named.place, named.property collate "C") as number
  from named
  join layer using (layer_id)
), word as (  -- each word of a name or a class once
  select distinct regexp_split_to_table(lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g')), '[^a-z0-9]+') as word
  from topic
  cross join lateral unnest(synonyms || classes || dataset_names || counted || verbs || adjectives || antonyms || unit || label) as name
)
select
  layer::int as layer, attribute as attribute, property as property, label as label, synonyms as synonyms, unit as unit, counted as counted,
  verbs as verbs, adjectives as adjectives, antonyms as antonyms,
  type as type, summary as summary, classes as classes, dataset_names as "datasetNames",
  -- the first row alone has the stems of all words; a stop word has none
  case when number = 1 then (
    select json_object_agg(word, stem) from (select word, (ts_lexize('english_stem', word))[1] as stem from word) as stemmed where stem <> word
  ) end as stems
from topic
order by number

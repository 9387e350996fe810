-- topics_of_question: the attributes and feature datasets a question is about, the likeliest first.
--   $1 layers    text[]  datasets
--   $2 question  text
-- index: attribute_pkey
-- budget: buffers <= 30 + 4 * layers, rows read <= 150 + 12 * layers
-- A topic scores the words of its longest name (label, synonyms) that the question has all of. Where it has none: half a word for
-- a name of its dataset, a quarter more for a word of its description. Small parts settle ties.
with question as (
  select words, (select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(words)) as any_word
  from (select to_tsvector('english', $2::text) as words) as given
), layer as (
  select dataset.*, given.place
  from unnest($1::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
), topic as (
  select layer.place as layer, attribute.place as attribute, attribute.name,
    array_prepend(attribute.label, attribute.synonyms) as names,
    layer.synonyms || array[layer.name, layer.category] as dataset_names,
    concat_ws(' ', attribute.description, attribute.name) as description
  from layer
  join attribute on attribute.layer_id = layer.layer_id
  where layer.kind = 'frames'
  union all
  select layer.place, 0, null, layer.synonyms || array[layer.name], array[layer.category], layer.description
  from layer
  where layer.kind <> 'frames'
), scored as (
  select topic.*,
    (
      select coalesce(max(length(to_tsvector('english', name))), 0)
      from unnest(topic.names) as name, question
      where question.words @@ plainto_tsquery('english', name)
    ) as by_name,
    (
      select coalesce(max(cardinality(string_to_array(name, ' '))), 0)
      from unnest(topic.names) as name
      where position(lower(name) in lower($2::text)) > 0
    ) as literally,
    exists (
      select from unnest(topic.dataset_names) as name, question where question.words @@ plainto_tsquery('english', name)
    ) as by_dataset,
    (select to_tsvector('english', coalesce(topic.description, '')) @@ question.any_word from question) as by_description
  from topic
)
select layer::int as layer, name as attribute,
  (
    case
      when by_name > 0 then by_name + 0.25 * by_dataset::int + 0.05 * literally
      else 0.5 + 0.25 * coalesce(by_description, false)::int
    end
  )::float8 as score
from scored
where by_name > 0 or by_dataset
order by score desc, layer, scored.attribute

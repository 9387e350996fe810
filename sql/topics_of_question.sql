-- topics_of_question: the attributes and feature datasets that a question is about, the likeliest first.
--   $1 layers    text[]  datasets
--   $2 question  text
--   $3 years     int[]   years that the question names
-- index: attribute_pkey
-- budget: buffers <= 30 + 4 * layers, rows read <= 150 + 12 * layers
-- example: '{lyr_population,lyr_schools}', 'How many people live here?', '{}'
-- A topic scores a point for each word of its longest name (label, synonyms) that the question has whole; without one,
-- half a point for a name of its dataset.
with question as (  -- the stems of the question, and a query for any of them
  select words, (select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(words)) as any_word
  from (select to_tsvector('english', $2::text) as words) as given
), layer as (  -- one row for each dataset that exists, with its place among $1
  select dataset.*, given.place
  from unnest($1::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
), topic as (  -- one row for each attribute of a baseline and for each feature dataset, with all its names
  select layer.place as layer, attribute.place as attribute, attribute.name,
    array_prepend(attribute.label, attribute.synonyms) as names,
    layer.synonyms || array[layer.name, layer.category] as dataset_names,
    concat_ws(' ', attribute.description, attribute.name) as description, attribute.label, layer.vintage, attribute.synonyms
  from layer
  join attribute on attribute.layer_id = layer.layer_id
  where layer.kind = 'frames'
  union all
  select layer.place, 0, null, layer.synonyms || array[layer.name], array[layer.category], layer.description, layer.name, layer.vintage, layer.synonyms
  from layer
  where layer.kind <> 'frames'
), dated as (
  -- each topic with its label without years, and with its first and last year: those of its label, else of its
  -- synonyms, else of its dataset's vintage
  select topic.*, year.first, year.last, regexp_replace(label, '\m(19|20)\d\d\M', '', 'g') as series
  from topic
  cross join lateral (
    select min(found[1]::int) as first, max(found[1]::int) as last
    from regexp_matches(
      case
        when label ~ '\m(19|20)\d\d\M' then label
        when array_to_string(synonyms, ' ') ~ '\m(19|20)\d\d\M' then array_to_string(synonyms, ' ')
        else vintage
      end, '\m((?:19|20)\d\d)\M', 'g') as found
  ) as year
), scored as (  -- each topic with what the question has of its names, of its dataset's and of its description
  select dated.*,
    (
      select coalesce(max(length(to_tsvector('english', name))), 0)
      from unnest(dated.names) as name, question
      where question.words @@ plainto_tsquery('english', name)
    ) as by_name,
    (
      select coalesce(max(cardinality(string_to_array(name, ' '))), 0)
      from unnest(dated.names) as name
      where position(lower(name) in lower($2::text)) > 0
    ) as literally,
    exists (
      select from unnest(dated.dataset_names) as name, question where question.words @@ plainto_tsquery('english', name)
    ) as by_dataset,
    (select to_tsvector('english', coalesce(dated.description, '')) @@ question.any_word from question) as by_description
  from dated
), ranked as (  -- where the question names a year, topics whose labels differ in the year alone share their names
  select layer, attribute, name, first, last,
    -- a quarter of a point, and a twentieth for each word that the question has literally, settle ties
    max(
      case
        when by_name > 0 then by_name + 0.25 * by_dataset::int + 0.05 * literally
        when by_dataset then 0.5 + 0.25 * coalesce(by_description, false)::int
      end
    ) over (partition by layer, case when first is null or cardinality($3::int[]) = 0 then attribute::text else series end) as score
  from scored
)
-- a question that names a year does not mean a topic of another year
select layer::int as layer, name as attribute, score::float8 as score
from ranked
where score is not null
  and (first is null or cardinality($3::int[]) = 0 or exists (select from unnest($3::int[]) as year where year between first and last))
order by score desc, layer, ranked.attribute

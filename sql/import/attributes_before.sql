-- attributes_before: the catalogue of a dataset's attributes as the import before left it, in the order of its columns.
--   $1 layer  text  dataset id
-- example: 'lyr_population'
select
  attribute.name as name, attribute.label as label, attribute.unit as unit, attribute.type as type, attribute.summary as summary,
  attribute.weight as weight, attribute.description as description, attribute.method as method, attribute.noun as noun, attribute.plural as plural,
  attribute.lower as lower, attribute.upper as upper, attribute.draws as draws, attribute.synonyms as synonyms,
  attribute.verbs as verbs, attribute.adjectives as adjectives, attribute.antonyms as antonyms
from attribute
where attribute.layer_id = $1::text
order by attribute.place

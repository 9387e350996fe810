-- synonyms_narrow: the synonyms of features that name a class which only some of them have, as "hospital" may for clinics.
--   $1 layer  text
-- example: 'lyr_clinics'
-- A question of that word would count all features. Words of the name of the dataset narrow nothing, and neither do the
-- names of single features. A property that is true of some has its own name as a class: "private schools".
with named as (  -- each synonym with its stems, and those of the dataset's name
  select synonym, tsvector_to_array(to_tsvector('english', synonym)) as stems, tsvector_to_array(to_tsvector('english', name)) as of_name
  from dataset
  cross join unnest(synonyms) as synonym
  where layer_id = $1::text and kind <> 'frames'
), classed as (  -- each class that only some features have, with the stems that name it
  select class.name, value, tsvector_to_array(to_tsvector('english', case value when 'true' then translate(class.name, '_', ' ') else value end)) as stems
  from class
  join dataset using (layer_id)
  where layer_id = $1::text and class.name <> 'name' and class.items < dataset.items and value <> 'false'
)
select synonym as synonym, classed.name as property, value as value
from named
join classed on classed.stems <@ named.stems and classed.stems <> '{}' and not classed.stems <@ named.of_name
order by synonym, property, value

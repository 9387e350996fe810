-- synonyms_narrow: the synonyms of features that name a class which only some of them have, as "hospital" may for clinics.
--   $1 layer  text
-- example: 'lyr_clinics'
-- A question of that word would count all features. The names of single features are no classes, and the word of the
-- dataset's own name means them all.
select synonym as synonym, class.name as property, class.value as value
from dataset
cross join unnest(synonyms) as synonym
join class using (layer_id)
where dataset.layer_id = $1::text and kind <> 'frames' and class.name <> 'name' and class.items < dataset.items
  and to_tsvector('english', synonym) = to_tsvector('english', class.value)
  and to_tsvector('english', synonym) not in ('', to_tsvector('english', dataset.name))
order by synonym, property, value

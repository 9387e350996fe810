-- intervals_of_frames: the bounds of modelled values on frames, by the names NAME_lower and NAME_upper.
--   $1 ids     bigint[]  frame ids, each once
--   $2 layers  text[]    baseline datasets
-- index: frame_interval_pkey, attribute_pkey
-- budget: buffers <= 30 + 6 * layers + 4 * ids * layers, rows read <= 1200 + 100 * layers + ids * layers
-- example: '{322074005,322074006}', '{lyr_population,lyr_terrain}'
-- Bounds are exact. A name that another attribute of the dataset has is left out.
with modelled as materialized (  -- one row for each attribute that has bounds or draws
  select dataset.layer_id, dataset.version, given.place, attribute.name
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  join attribute using (layer_id)
  where coalesce(attribute.draws, attribute.lower) is not null
)
select
  asked.place::int as place, modelled.place::int as layer, json_object_agg(bound.name, trim_scale(bound.value)::text)::text as recorded
from modelled
cross join unnest($1::bigint[]) with ordinality as asked (frame_id, place)
cross join lateral (
  -- "limit 1" as in records_of_baselines
  select lower, upper
  from frame_interval
  where frame_interval.version = modelled.version and attribute = modelled.name and frame_interval.frame_id = asked.frame_id
  limit 1
) as found
cross join lateral (values (modelled.name || '_lower', found.lower), (modelled.name || '_upper', found.upper)) as bound (name, value)
where not exists (select from attribute as other where other.layer_id = modelled.layer_id and other.name = bound.name)
group by asked.place, modelled.place
order by modelled.place, asked.place

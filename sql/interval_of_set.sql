-- interval_of_set: between which bounds the totals of modelled attributes lie over a set of frames; no row for one without an interval.
--   $1 frames      text[]  a frame_set
--   $2 layer       text    the baseline
--   $3 attributes  text[]
-- index: attribute_pkey
-- budget: buffers <= 250000, rows read <= 60000
-- example: '{unit,marembe,lakeside}', 'lyr_population', '{pop_demest26}'
-- The bounds are exact: whoever writes them for people rounds them outwards. "draws" is null for bounds of the file.
-- null: draws
select asked.name as attribute, trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper, bound.draws::int as draws
from unnest($3::text[]) with ordinality as asked (name, place)
join attribute on attribute.layer_id = $2::text and attribute.name = asked.name
cross join lateral interval_of_set($1::text[], attribute.layer_id, attribute.name) as bound
where coalesce(attribute.draws, attribute.lower) is not null
order by asked.place

-- units_of_names: the units that have one of some names, the largest level first.
--   $1 names  text[]  in lower case, without accents and marks: "alder hills", "ndara"
--   $2 unit   text[]  state, LGA, ward; empty for the index
-- budget: buffers <= 600, rows read <= 40000
-- example: '{lakeside}', '{marembe}'
-- reads all of: ward
-- Reads the whole table, which is small.
-- null: state, lga, ward
with named as materialized (  -- every unit with its own name, written as the names are
  select unit.*, btrim(regexp_replace(regexp_replace(normalize(lower(coalesce(ward, lga, state)), nfd), '[\u0300-\u036f''’]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')) as name
  from (
    select state, null as lga, null as ward, frames from state
    union all
    select state, lga, null as ward, frames from lga
    union all
    select state, lga, ward, frames from ward
  ) as unit
)
select
  given.place::int as place, state as state, lga as lga, ward as ward, frames::int as frames,
  -- units of one path agree in the names that both have
  (coalesce(state = fold_name(($2::text[])[1]), true) and coalesce(lga = fold_name(($2::text[])[2]), true)
    and coalesce(ward = fold_name(($2::text[])[3]), true)) as "isOnPath"
from unnest($1::text[]) with ordinality as given (name, place)
join named using (name)
order by given.place, (ward is not null)::int + (lga is not null)::int, state collate "C", lga collate "C", ward collate "C"

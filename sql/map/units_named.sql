-- units_named: the units that have a code, or names that are like a text, the most alike first.
--   $1 words  text  what a person typed: a code, a name, or a name and the units above it
--   $2 most   int   units at the most
-- budget: buffers <= 400, rows read <= 60000
-- example: 'lakesde', 10
-- reads all of: ward
-- Reads the whole table, which is small.
-- Likeness is Dice's, of pairs of letters, without accents. pg_trgm is no part of this database.
-- null: lga, ward
with typed as materialized (  -- the text, its pairs of letters, and the text as a code is written
  select text, fold_name($1::text) as as_code, array(
    select distinct substr(text, i, 2) from generate_series(1, least(length(text), 60) - 1) as i
  ) as pairs
  from (select btrim(regexp_replace(regexp_replace(normalize(fold_name($1::text), nfd), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')) as text) as plain
), named as materialized (  -- each unit, its own name and the whole of its names, written in the same way
  select unit.*,
    btrim(regexp_replace(regexp_replace(normalize(own, nfd), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')) as name,
    btrim(regexp_replace(regexp_replace(normalize(path, nfd), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')) as names
  from (
    select state, null as lga, null as ward, frames, state_code as code, state as own, state as path, 1 as depth from state
    union all
    select state, lga, null as ward, frames, lga_code as code, lga as own, concat_ws(' ', lga, state) as path, 2 as depth from lga
    union all
    select state, lga, ward, frames, ward_code as code, ward as own, concat_ws(' ', ward, lga, state) as path, 3 as depth from ward
  ) as unit
), shared as materialized (  -- counted once: the pairs that a name shares with the text
  select named.*, typed.text, typed.as_code,
    (select count(*) from unnest(typed.pairs) as pair where position(pair in named.name) > 0) as in_name,
    (select count(*) from unnest(typed.pairs) as pair where position(pair in named.names) > 0) as in_names,
    cardinality(typed.pairs) as pairs
  from typed
  cross join named
  where typed.text <> ''
), likeness as materialized (  -- from 0 to 1; 2 for the code or the name itself, and 1.5 for a name that begins with the text
  select shared.*,
    case
      when code = as_code or replace(name, ' ', '') = replace(text, ' ', '') or names = text then 2
      when starts_with(name, text) then 1.5
      else greatest(
        2.0 * in_name / nullif(pairs + length(name) - 1, 0),
        2.0 * in_names / nullif(pairs + length(names) - 1, 0)
      )
    end as alike
  from shared
)
select state as state, lga as lga, ward as ward, frames::int as frames, alike::float8 as alike
from (select likeness.*, max(alike) over () as best from likeness) as compared
where alike >= greatest(0.5, 0.75 * best)
order by alike desc, depth, name collate "C", state collate "C", lga collate "C"
limit $2::int

-- changed: the objects that differ between two moments, in words, and how many rights of each role do.
--   $1 before  text  JSON array of the rows of objects.sql
--   $2 after   text  the same, later
-- example: '[]', '[{"kind":"table","relation":"frame","name":"frame","definition":""}]'
with changed as (  -- what is there now comes before what is gone
  select kind, relation, name, array[(after.n is null)::int, coalesce(after.n, before.n)] as place
  from rows from (
    json_to_recordset($1::text::json) as (kind text, relation text, name text, definition text)
  ) with ordinality as before (kind, relation, name, definition, n)
  full join rows from (
    json_to_recordset($2::text::json) as (kind text, relation text, name text, definition text)
  ) with ordinality as after (kind, relation, name, definition, n) using (kind, relation, name)
  where before.definition is distinct from after.definition
), named (what, place) as (  -- all but rights
  select kind || ' ' || name, min(place) from changed where kind <> 'grant' group by 1
), granted (what, place) as (  -- a function that is made anew brings its rights
  select format('rights of %s (%s)', case role when 'public' then 'everyone' else role end, count(*)), min(place)
  from changed
  cross join lateral regexp_replace(name, '^.* to ', '') as role
  where kind = 'grant' and relation not in (select what from named)
  group by role
)
select what as what
from (select what, place, 1 as part from named union all select what, place, 2 from granted) as line
order by part, place

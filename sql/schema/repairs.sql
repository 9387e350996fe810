-- repairs: the statements that bring functions and rights closer to those of this release, before "migrate" makes them.
--   $1 expected  text  JSON array of the objects of migrations/schema.json
--   $2 present   text  JSON array of the rows of objects.sql
-- example: '[{"kind":"table","relation":"frame","name":"frame","definition":""}]', '[]'
-- "grants": PostgreSQL keeps the rights of a function that is replaced, and an older release may have let nobody call it.
-- "isOfThisRelease": no process of another release is likely to run, since the functions are those of this one.
with expected as (  -- the objects of the migrations
  select * from json_to_recordset($1::text::json) as object (kind text, relation text, name text, definition text, statement text)
), found as (  -- those of the database
  select * from json_to_recordset($2::text::json) as object (kind text, relation text, name text, definition text, removal text)
), ours as (  -- those of the database that belong to ours; an object of a DBA stays as it is
  select kind, relation, name, found.definition as found, expected.definition as wanted, removal
  from found
  left join expected using (kind, relation, name)
  where relation in (select relation from expected)
)
select
  -- PostgreSQL would keep a function of other parameters beside ours, and replaces none by one of another result
  coalesce(string_agg(removal, E'\n') filter (
    where kind = 'function' and split_part(found, ' language ', 1) is distinct from split_part(wanted, ' language ', 1)
  ), '') as drops,
  coalesce((
    select string_agg(statement, E'\n')
    from expected
    where kind = 'grant' and name = 'execute to public' and (kind, relation, name) not in (select kind, relation, name from found)
      -- everybody may call a function that is made now
      and relation in (select 'function ' || name from found where kind = 'function')
  ), '') as grants,
  coalesce(string_agg(removal, E'\n') filter (
    where kind = 'grant' and wanted is null and name ~ ' to frames_(service|console|analyst)$'
  ), '') as revokes,
  coalesce(bool_and(found is not distinct from wanted) filter (where kind = 'function'), true) as "isOfThisRelease"
from ours

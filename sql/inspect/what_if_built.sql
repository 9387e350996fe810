-- what_if_built: the indexes of a table that were not there before, and whether this transaction can read them.
--   $1 name   text    of the table
--   $2 known  text[]  ids of the indexes that were there
-- example: 'frame', '{}'
-- Where rows were updated in place a short while ago, PostgreSQL does not read a new index before its transaction ends.
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition,
  pg_relation_size(indexrelid)::float8 as bytes, not indcheckxmin as "isReadable"
from pg_index
where indrelid = $1::text::regclass and indexrelid::text <> all ($2::text[])

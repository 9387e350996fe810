-- what_if_indexes: the ids of the indexes of a table.
--   $1 name  text  of the table
-- example: 'frame'
select indexrelid::text as id
from pg_index
where indrelid = $1::text::regclass

-- what_if_table: the table that an index is to be tried on; no row if there is none of this name.
--   $1 name  text  as a statement has it, with its schema or without
-- example: 'frame'
-- Builds and imports alone write to the tables of frames and records. Calls may write to any other, and wait while an
-- index is built there.
select oid::regclass::text as name, pg_get_userbyid(relowner) as owner, pg_has_role(relowner, 'USAGE') as "isOwner",
  relnamespace = 'public'::regnamespace and relname = any (index_tables() || array['baseline_row', 'feature'])
    as "isOfImports"
from pg_class
where oid = to_regclass($1::text) and relkind in ('r', 'm')

-- functions_lacking: those of these functions that schema public does not have.
--   $1 names  text[]
-- example: '{fold_name,no_such_function}'
select name as name
from unnest($1::text[]) as name
where name not in (select proname from pg_proc where pronamespace = 'public'::regnamespace)

-- functions_lacking: those of these functions that the database does not have.
--   $1 names  text[]
-- example: '{fold_name,no_such_function}'
-- A function of schema analyst has the schema before its name.
select name as name
from unnest($1::text[]) as name
where name not in (
  select case nspname when 'analyst' then 'analyst.' else '' end || proname
  from pg_proc
  join pg_namespace on pg_namespace.oid = pronamespace
  where nspname in ('public', 'analyst')
)

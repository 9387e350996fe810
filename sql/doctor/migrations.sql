-- migrations: migrations that this database lacks, and migrations that this program does not know.
--   $1 names  text[]  the migrations of the program
-- A newer program applies migrations that this one does not know. That is right while the newer one takes over.
select 'wrong' as severity, 'Migration ' || name || ' is pending.' as what, 'npm run -s frames -- migrate' as fix
from unnest($1::text[]) as name
where name not in (select migration.name from public.migration)
union all
select 'advice' as severity, 'Migration ' || name || ' was run by another version of the program.' as what,
  '-- Run the newest version of the program.' as fix
from public.migration
where name <> all ($1::text[])

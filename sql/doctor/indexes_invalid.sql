-- indexes_invalid: indexes that a broken "concurrently" left behind: written to, never read.
--   $1 names  text[]  the indexes of the migrations; others are your own
-- What is left of a reindex ends in _ccnew or _ccold and stands beside the index itself. An import would make them all again, and fail.
select 'wrong' as severity,
  'Index ' || pg_class.relname || ' of ' || indrelid::regclass || ' is invalid: it is written to and never read.' as what,
  case
    when pg_class.relname = any ($1::text[]) then 'reindex index concurrently '
    else 'drop index concurrently '
  end || indexrelid::regclass || ';' as fix
from pg_index
join pg_class on pg_class.oid = indexrelid
where not indisvalid and relnamespace = 'public'::regnamespace

-- indexes_invalid: indexes that a failed "concurrently" left: PostgreSQL writes to them and never reads them.
--   $1 names  text[]  the indexes of the migrations; others are your own
-- A failed reindex leaves an index whose name ends in _ccnew or _ccold beside the index itself. An import would make
-- all of them again, and fail.
select 'wrong' as severity,
  'Index ' || pg_class.relname || ' of ' || indrelid::regclass || ' is invalid: it is written to and never read.' as what,
  case
    when pg_class.relname = any ($1::text[]) then 'reindex index concurrently '
    else 'drop index concurrently '
  end || indexrelid::regclass || ';' as fix
from pg_index
join pg_class on pg_class.oid = indexrelid
where not indisvalid and relnamespace = 'public'::regnamespace

-- collations: collations whose order the operating system has changed.
-- An index on text is sorted by the old order and searched by the new one.
with here as (  -- this database, with the version of its collation that sorted it and the one the server has
  select datname, datcollversion as was, pg_database_collation_actual_version(oid) as is_now, pg_has_role(datdba, 'USAGE') as is_owner
  from pg_database where datname = current_database()
), used as (  -- collations that an index or a column of ours names
  select distinct of_index.used_one as sorted_by
  from pg_index
  join pg_class on pg_class.oid = indexrelid and relnamespace = 'public'::regnamespace
  cross join lateral unnest(indcollation) as of_index (used_one)
  union
  select attcollation from pg_attribute join pg_class on pg_class.oid = attrelid and relnamespace = 'public'::regnamespace and relkind = 'r'
), sorted as (  -- one row per collation in use, with the same two versions
  select pg_collation.oid, format('%I.%I', nspname, collname) as name, collversion as was, pg_collation_actual_version(pg_collation.oid) as is_now,
    pg_has_role(collowner, 'USAGE') as is_owner
  from pg_collation
  join pg_namespace on pg_namespace.oid = collnamespace
  where pg_collation.oid in (select sorted_by from used) and collversion is not null
)
select 'wrong' as severity,
  'Database ' || datname || ' was sorted by version ' || was || ' of its collation, the server has ' || is_now || ': an index on text may miss rows.' as what,
  E'reindex schema public;\n' || case when is_owner then '' else E'-- then the owner of the database, or a superuser:\n' end
    || format('alter database %I refresh collation version;', datname) as fix
from here
where was <> is_now
union all
select 'wrong' as severity,
  'Collation ' || name || ' was of version ' || was || ', the server has ' || is_now || ': an index that uses it may miss rows.' as what,
  (
    select coalesce(string_agg(format('reindex index %s;', indexrelid::regclass), E'\n') || E'\n', '')
    from pg_index
    where sorted.oid = any (indcollation)
  ) || case when is_owner then '' else E'-- then a superuser:\n' end || format('alter collation %s refresh version;', name) as fix
from sorted
where was <> is_now

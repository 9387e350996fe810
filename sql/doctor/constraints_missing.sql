-- constraints_missing: rules and references that the migrations make and this database lacks, or never held its rows to.
--   $1 names   text[]
--   $2 tables  text[]
--   $3 mends   text[]  the very words of the migrations
select 'wrong' as severity,
  case
    when pg_constraint.oid is null then 'Constraint ' || expected.name || ' of ' || expected.on_table || ' is missing.'
    else 'Constraint ' || expected.name || ' of ' || expected.on_table || ' does not hold for rows from before it.'
  end as what,
  case
    when pg_constraint.oid is null then expected.mend
    else 'alter table ' || expected.on_table || ' validate constraint ' || expected.name || ';'
  end as mend
from unnest($1::text[], $2::text[], $3::text[]) as expected (name, on_table, mend)
left join pg_constraint on conname = expected.name and conrelid = to_regclass(expected.on_table)
where pg_constraint.oid is null or not convalidated

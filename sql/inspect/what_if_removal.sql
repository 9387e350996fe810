-- what_if_removal: the statement that removes an index, and its table; no row if there is no index of this name.
--   $1 name  text  with its schema or without
-- example: 'frame_geom_idx'
-- A constraint is removed with its index.
select pg_index.indrelid::regclass::text as table,
  case
    when pg_constraint.oid is null then format('drop index %s', indexrelid::regclass)
    else format('alter table %s drop constraint %I', pg_index.indrelid::regclass, conname)
  end as statement,
  pg_get_userbyid(relowner) as owner, pg_has_role(relowner, 'USAGE') as "isOwner"
from pg_index
join pg_class on pg_class.oid = indexrelid
left join pg_constraint on conindid = indexrelid and contype in ('p', 'u', 'x')
where indexrelid = to_regclass($1::text)

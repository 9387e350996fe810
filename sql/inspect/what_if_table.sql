-- what_if_table: the table that an index is to be tried on; no row if there is none of this name.
--   $1 name  text  as a statement has it, with its schema or without
-- example: 'frame'
-- Calls write to a table that another role than its owner may write to: they wait while an index is built there.
select oid::regclass::text as name, pg_get_userbyid(relowner) as owner, pg_has_role(relowner, 'USAGE') as "isOwner",
  exists (
    select from aclexplode(relacl)
    where grantee <> relowner and privilege_type in ('INSERT', 'UPDATE', 'DELETE')
  ) as "isWrittenByCalls"
from pg_class
where oid = to_regclass($1::text) and relkind in ('r', 'm')

-- lock: waits until no other process migrates this database, then keeps others waiting.
--   $1 key  bigint  a number that no other program on the database is likely to lock
-- example: 4170003
select pg_advisory_lock($1::bigint) as locked

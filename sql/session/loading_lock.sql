-- loading_lock: takes the lock that one process at a time holds for an import or a build.
--   $1 key  bigint  a number that no other program on the database is likely to lock
-- example: 4170001
-- "isTaken" is false where another session holds the lock.
select pg_try_advisory_lock($1::bigint) as "isTaken"

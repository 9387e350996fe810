-- loading_lock: takes the lock that one process at a time holds for an import or a build, until its transaction ends.
--   $1 key  bigint  a number that no other program on the database is likely to lock
-- example: 4170001
-- "isTaken" is false where another transaction holds the lock. The transaction idles while others do the work.
select pg_try_advisory_xact_lock($1::bigint) as "isTaken", set_config('idle_in_transaction_session_timeout', '0', true) as "idleLimit"

-- loading_unlock: gives the lock of imports and builds back.
--   $1 key  bigint  the number of loading_lock
-- example: 4170001
select pg_advisory_unlock($1::bigint) as "wasHeld"

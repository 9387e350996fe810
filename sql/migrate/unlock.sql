-- unlock: lets the next process migrate.
--   $1 key  bigint  the number of lock
-- example: 4170003
select pg_advisory_unlock($1::bigint) as unlocked

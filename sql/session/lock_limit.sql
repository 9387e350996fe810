-- lock_limit: ends each later statement of the transaction that waits longer for a lock of another session.
--   $1 ms  int
-- example: 5000
select set_config('lock_timeout', $1::int::text, true) as "lockTimeout"

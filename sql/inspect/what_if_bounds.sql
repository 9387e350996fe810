-- what_if_bounds: bounds the transaction that tries indexes, so that no other session waits behind it for long.
-- lock_timeout: a table that somebody else locks is left alone. While a lock is waited for, later sessions wait too.
-- client_connection_check_interval: PostgreSQL ends a build within a second if the process that asked for it is killed.
-- idle_in_transaction_session_timeout: the locks end with the session if that process stops, or its machine is lost.
select
  set_config('lock_timeout', '20ms', true) as "lockTimeout",
  set_config('client_connection_check_interval', '1s', true) as "checkInterval",
  set_config('idle_in_transaction_session_timeout', '10s', true) as "idleTimeout"

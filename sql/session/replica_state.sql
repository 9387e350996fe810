-- replica_state: whether this server is a replica that has replayed the log up to a position, and its database.
--   $1 lsn  pg_lsn  null where no position is known
-- example: '0/0'
-- "isReplica" is false for a promoted replica, which takes writes of its own.
select
  pg_is_in_recovery() as "isReplica",
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as replayed,
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database

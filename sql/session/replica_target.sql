-- replica_target: the position of the primary in its log, and the identity of its database.
select
  pg_current_wal_flush_lsn()::text as lsn,
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database

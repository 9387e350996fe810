-- replica_target: the position of the primary in its log, its timeline, and the identity of its database.
-- The timeline is the first eight digits of a log file's name.
select
  pg_current_wal_flush_lsn()::text as lsn,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database

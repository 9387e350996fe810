-- server_state: the identity of a server's database, whether the server takes writes, and how far its log goes.
-- "timeline" is null for a replica. Each promotion begins a higher one: the first eight digits of a log file's name.
-- "position" counts the bytes of the log that a replica has replayed, or that a primary has on its disk.
select
  (select system_identifier::text from pg_control_system())
    || '/' || (select oid::text from pg_database where datname = current_database()) as identity,
  case
    when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
  end as timeline,
  coalesce(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn, 0
  )::float8 as position

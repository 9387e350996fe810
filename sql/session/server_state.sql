-- server_state: the identity of a server's database, and the timeline of a server that takes writes.
-- "timeline" is null for a replica. Each promotion begins a higher one: the first eight digits of a log file's name.
select
  (select system_identifier::text from pg_control_system())
    || '/' || (select oid::text from pg_database where datname = current_database()) as identity,
  case
    when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
  end as timeline

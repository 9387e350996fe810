-- unfit: why this session cannot migrate this database, or null; and whether the database was migrated before.
--   $1 session  int  the number of the session, as its client was told
-- example: 1
-- A pooler tells a number of its own, and may give each transaction another session. Unit names are folded by fold_name,
-- which needs UTF8 and ICU: the migrations before it would stay in a database that has neither.
select
  case
    when pg_backend_pid() <> $1::int then
      'A pooler is at this address, and "migrate" needs a session of its own. Take the address of PostgreSQL itself.'
    when current_setting('transaction_read_only')::bool then
      current_user || ' may only read here. Give the DATABASE_URL of frames_owner, who owns the tables, and of the primary.'
    when current_setting('server_encoding') <> 'UTF8' then
      format('The encoding of this database is %s, and UTF8 is needed. ', current_setting('server_encoding'))
        || 'Create one with: create database frames encoding ''UTF8'' template template0'
    when not exists (select from pg_collation where collname = 'und-x-icu') then
      'This PostgreSQL was built without ICU, which folds unit names. '
        || 'Use a build that has it, such as the packages of PostgreSQL, Debian or Alpine.'
  end as refusal,
  to_regclass('public.migration') is not null as "isMigrated"

-- versions: the versions of PostgreSQL and of PostGIS, and the table of migrations, where they are there.
select
  current_setting('server_version_num')::int as server,
  (select extversion from pg_extension where extname = 'postgis') as postgis,
  to_regclass('public.migration')::text as "migrationTable"

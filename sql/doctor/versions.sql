-- versions: versions too old for the program, and a database that was never migrated.
-- The doctor makes no other check before this one finds nothing. It reads only system catalogues, so it runs on an
-- empty database.
with postgis as (  -- one row: the version of PostGIS; null without the extension
  select max(extversion) as version, string_to_array(regexp_replace(max(extversion), '[^0-9.].*', ''), '.')::int[] as numbers
  from pg_extension
  where extname = 'postgis'
), extension as (  -- what comes before a statement about the extension, which a superuser alone may run
  select case
      when not exists (select from pg_available_extensions where name = 'postgis') then
        E'-- Install the package of PostGIS on the server of the database first; then a superuser runs this:\n'
      when rolsuper then ''
      else E'-- A superuser runs this:\n'
    end as first
  from pg_roles
  where rolname = current_user
), fault (what, fix) as (  -- one row per fault
  select 'PostgreSQL is ' || current_setting('server_version') || ', 15 is the oldest that works.',
    '-- Move the database to a newer server: pg_dump here, pg_restore there.'
  where current_setting('server_version_num')::int < 150000
  union all
  select 'There is no PostGIS in this database.', extension.first || 'create extension postgis;'
  from postgis, extension where version is null
  union all
  select 'PostGIS is ' || version || ', 3.3 is the oldest that works.', extension.first || 'alter extension postgis update;'
  from postgis, extension where numbers < array[3, 3]
  union all
  select 'This database was never migrated.', 'npm run -s frames -- migrate'
  where to_regclass('public.migration') is null
)
select 'wrong' as severity, what as what, fix as fix from fault

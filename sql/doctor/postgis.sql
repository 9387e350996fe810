-- postgis: functions of PostGIS that do not belong to its library, and a GEOS too old for imports.
select 'wrong' as severity, 'The functions of PostGIS are not those of its library: ' || postgis_full_version() as what,
  case when rolsuper then '' else E'-- A superuser runs this:\n' end || 'select postgis_extensions_upgrade();' as fix
from pg_roles
where rolname = current_user and postgis_full_version() ~ 'needs? upgrade'
union all
select 'wrong' as severity, 'GEOS is ' || postgis_geos_version() || ', 3.9 is the oldest that works.' as what,
  '-- Install a newer GEOS on the database server, and start PostgreSQL again.' as fix
where string_to_array(substring(postgis_geos_version() from '^\d+\.\d+'), '.')::int[] < array[3, 9]

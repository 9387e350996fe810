-- srid: geometry columns that hold coordinates other than WGS 84.
select 'wrong' as severity,
  f_table_name || '.' || f_geometry_column || ' holds coordinates of SRID ' || srid || ', 4326 is needed.' as what,
  format('alter table %I alter %I type geometry(Geometry, 4326) using ST_SetSRID(%2$I, 4326);', f_table_name, f_geometry_column) as fix
from geometry_columns
where f_table_schema = 'public' and f_table_name in ('frame', 'frame_run', 'feature') and srid <> 4326

-- stored_text: stored GeoJSON, boxes or areas that do not match the shape, and columns no longer generated.
-- Two versions of PROJ may differ in the last digit of an area, a square metre: the check allows that.
with written (on_table, col, type, expression) as (  -- one row per generated column, with its expression
  values ('frame', 'geojson', 'text', 'ST_AsGeoJSON(geom, 7)'), ('feature', 'geojson', 'text', 'ST_AsGeoJSON(geom, 7)'),
    ('frame', 'bbox', 'text', '''['' || ST_XMin(geom)::text || '','' || ST_YMin(geom)::text || '','' || ST_XMax(geom)::text || '','' || ST_YMax(geom)::text || '']'''),
    ('frame', 'area_km2', 'numeric', 'round((ST_Area(geom::geography) / 1e6)::numeric, 6)'),
    ('unit_area', 'area_km2', 'numeric', 'round((ST_Area(geom::geography) / 1e6)::numeric, 6)')
), stale (on_table, rows, example) as (  -- one row per table: the number of rows with another value, and one of them
  select 'frame', count(*), min(frame_id)::text
  from frame
  where geojson <> ST_AsGeoJSON(geom, 7)
    or bbox <> '[' || ST_XMin(geom)::text || ',' || ST_YMin(geom)::text || ',' || ST_XMax(geom)::text || ',' || ST_YMax(geom)::text || ']'
    or abs(area_km2 - round((ST_Area(geom::geography) / 1e6)::numeric, 6)) > 0.000001
  union all
  select 'feature', count(*), min(feature_id)
  from feature
  where geojson <> ST_AsGeoJSON(geom, 7)
  union all
  select 'unit_area', count(*), min(concat_ws(', ', ward, lga, state))
  from unit_area
  where abs(area_km2 - round((ST_Area(geom::geography) / 1e6)::numeric, 6)) > 0.000001
)
select 'wrong' as severity, on_table || '.' || col || ' is not generated from geom any more: it will not follow it.' as what,
  -- The views of analysts are pointed to the new column before the old one goes, so that nothing over them is lost.
  format(E'begin;\nalter table %I rename column %I to stale;\nalter table %1$I add column %2$I %s not null generated always as (%s) stored;\n'
    'comment on column %1$I.%2$I is %L;\nselect analyst_views();\nalter table %1$I drop column stale;\n'
    'update index_generation set generation = generation + 1;\ncommit;\nanalyze %1$I;',
    on_table, col, type, expression, col_description(attrelid, attnum)) as fix
from written
join pg_attribute on attrelid = on_table::regclass and attname = col and attgenerated <> 's'
union all
select 'wrong' as severity, 'Rows of ' || on_table || ' with stored values of another shape: ' || rows || ', such as ' || example || '.' as what,
  format(E'update %I set geom = geom where %s;\nupdate index_generation set generation = generation + 1;', on_table, (
    select string_agg(format('%I is distinct from %s', col, expression), ' or ' order by col) from written where written.on_table = stale.on_table
  )) as fix
from stale
where rows > 0 and not exists (
  select from pg_attribute join written on col = attname and written.on_table = stale.on_table
  where attrelid = stale.on_table::regclass and attgenerated <> 's'
)

-- stored_text: frames and features whose stored GeoJSON or bounding box is not that of their shape, and columns no longer generated.
with written (on_table, col, expression) as (
  values ('frame', 'geojson', 'ST_AsGeoJSON(geom, 7)'), ('feature', 'geojson', 'ST_AsGeoJSON(geom, 7)'),
    ('frame', 'bbox', '''['' || ST_XMin(geom)::text || '','' || ST_YMin(geom)::text || '','' || ST_XMax(geom)::text || '','' || ST_YMax(geom)::text || '']''')
), stale (on_table, rows, example) as (
  select 'frame', count(*), min(frame_id)::text
  from frame
  where geojson <> ST_AsGeoJSON(geom, 7)
    or bbox <> '[' || ST_XMin(geom)::text || ',' || ST_YMin(geom)::text || ',' || ST_XMax(geom)::text || ',' || ST_YMax(geom)::text || ']'
  union all
  select 'feature', count(*), min(feature_id)
  from feature
  where geojson <> ST_AsGeoJSON(geom, 7)
)
select 'wrong' as severity, on_table || '.' || col || ' is not generated from geom any more: it will not follow it.' as what,
  format(E'begin;\nalter table %I drop column %I;\nalter table %1$I add column %2$I text not null generated always as (%s) stored;\n'
    'comment on column %1$I.%2$I is %L;\nupdate index_generation set generation = generation + 1;\ncommit;\nanalyze %1$I;',
    on_table, col, expression, col_description(attrelid, attnum)) as mend
from written
join pg_attribute on attrelid = on_table::regclass and attname = col and attgenerated <> 's'
union all
select 'wrong' as severity, rows || ' rows of ' || on_table || ' have other text than their shape, such as ' || example || '.' as what,
  format(E'update %I set geom = geom where geojson <> ST_AsGeoJSON(geom, 7)%s;\nupdate index_generation set generation = generation + 1;',
    on_table, (select ' or bbox <> ' || expression from written where col = 'bbox' and stale.on_table = 'frame')) as mend
from stale
where rows > 0 and not exists (
  select from pg_attribute where attrelid = on_table::regclass and attname in ('geojson', 'bbox') and attgenerated <> 's'
)

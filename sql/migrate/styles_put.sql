-- styles_put: stores the styles of sql/styles/. A style that did not change keeps its time.
--   $1 names  text[]
--   $2 texts  text[]  QML
-- example: '{frame}', '{<qgis/>}'
-- analyst_views makes the styles of layers again only where the time is newer.
insert into style (name, styleqml)
select name, xmlparse(document qml) from unnest($1::text[], $2::text[]) as file (name, qml)
on conflict (name) do update set styleqml = excluded.styleqml, changed_at = excluded.changed_at
where style.styleqml::text <> excluded.styleqml::text

-- analyst_style: gives a view of schema analyst its style for QGIS.
--   view_name  the view
--   layer      its dataset; null for the views of frames and units
-- Table style has the files of sql/styles/. A baseline takes the symbols of its file, one for each of its classes;
-- every other view takes the file as it is. The program changes only rows of owner "frames": QGIS writes the name of
-- the person who saves a style.
create or replace function analyst_style(view_name text, layer text) returns void
  language plpgsql as $$
declare
  qml xml;
begin
  with class as (  -- one row per class; none where the view gets one symbol
    select *, case renderer when 'graduatedSymbol' then 'numbers' else 'categories' end as file from analyst_classes(layer)
  )
  select xmlelement(name qgis, xmlattributes('3.22.0' as version, 'Symbology' as "styleCategories"),
      xmlelement(name "renderer-v2",
        xmlattributes(renderer as type, quote_ident(attribute) as attr, '0' as symbollevels, '0' as enableorderby, '0' as forceraster,
          case renderer when 'graduatedSymbol' then 'GraduatedColor' end as "graduatedMethod"),
        case renderer
          when 'graduatedSymbol' then xmlelement(name ranges, xmlagg(xmlelement(name range, xmlattributes(
            'true' as render, number as symbol, lower as lower, upper as upper, lower || ' - ' || upper as label)) order by number))
          else xmlelement(name categories, xmlagg(xmlelement(name category, xmlattributes(
            'true' as render, number as symbol, value as value, value as label, 'string' as type)) order by number))
        end,
        xmlelement(name symbols, xmlagg((xpath(format('//symbols/symbol[@name="%s"]', number), style.styleqml))[1] order by number))))
    into qml
  from class
  join style on style.name = class.file
  group by renderer, attribute;
  if qml is null then
    select styleqml into qml from style
    where name = coalesce((select case kind when 'frames' then 'polygons' else kind end from dataset where layer_id = layer), view_name);
  end if;
  delete from layer_styles
  where f_table_schema = 'analyst' and f_table_name = view_name and stylename = 'frames' and owner = 'frames';
  insert into layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, stylename, styleqml, useasdefault, description, owner)
  values (current_database(), 'analyst', view_name, 'geom', 'frames', qml,
    not exists (select from layer_styles where f_table_schema = 'analyst' and f_table_name = view_name and useasdefault),
    'Made by the program from sql/styles/.', 'frames');
end $$;
comment on function analyst_style(text, text) is
  'Gives a view of schema analyst its style for QGIS. A style that a person saved is another row: it stays, and stays the default.';
revoke execute on function analyst_style from public;

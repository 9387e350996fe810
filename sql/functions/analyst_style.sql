-- analyst_style: gives a view of schema analyst its style for QGIS.
--   view_name  the view
--   layer      its dataset; null for the views of frames and units
-- The program changes only rows of owner "frames". A style saved from QGIS is another row and stays the default.
create or replace function analyst_style(view_name text, layer text) returns void
  language plpgsql as $$
declare
  ramp text[] := array['254,240,217', '253,204,138', '252,141,89', '227,74,51', '179,0,0'];
  palette text[] := array['0,114,178', '230,159,0', '0,158,115', '204,121,167', '86,180,233', '213,94,0', '240,228,66', '120,120,120',
    '130,90,44', '60,60,130', '160,200,120', '200,200,220'];
  symbol_kind text := (select case kind when 'points' then 'marker' when 'lines' then 'line' else 'fill' end from dataset where layer_id = layer);
  renderer xml;
begin
  select xmlelement(name "renderer-v2",
      xmlattributes(c.renderer as type, quote_ident(c.attribute) as attr, '0' as symbollevels, '0' as enableorderby, '0' as forceraster,
        case c.renderer when 'graduatedSymbol' then 'GraduatedColor' end as "graduatedMethod"),
      case c.renderer
        when 'graduatedSymbol' then xmlelement(name ranges, xmlagg(xmlelement(name range, xmlattributes(
          'true' as render, c.number as symbol, c.lower as lower, c.upper as upper, c.lower || ' - ' || c.upper as label)) order by c.number))
        else xmlelement(name categories, xmlagg(xmlelement(name category, xmlattributes(
          'true' as render, c.number as symbol, c.value as value, c.value as label, 'string' as type)) order by c.number))
      end,
      xmlelement(name symbols, xmlagg(
        analyst_symbol('fill', c.number, (case c.renderer when 'graduatedSymbol' then ramp else palette end)[c.number + 1] || ',255', '255,255,255,60', 0.1)
        order by c.number)))
    into renderer
  from analyst_classes(layer) as c
  group by c.renderer, c.attribute;
  renderer := coalesce(renderer, xmlelement(name "renderer-v2",
    xmlattributes('singleSymbol' as type, '0' as symbollevels, '0' as enableorderby, '0' as forceraster),
    xmlelement(name symbols, case
      when view_name = 'state' then analyst_symbol('fill', 0, null, '20,20,20,255', 0.6)
      when view_name = 'lga' then analyst_symbol('fill', 0, null, '60,60,60,255', 0.4)
      when view_name = 'ward' then analyst_symbol('fill', 0, null, '110,110,110,255', 0.2)
      when symbol_kind = 'marker' then analyst_symbol('marker', 0, '0,114,178,255', '255,255,255,255', 0.2)
      when symbol_kind = 'line' then analyst_symbol('line', 0, null, '213,94,0,255', 0.5)
      when layer <> '' and symbol_kind = 'fill' then analyst_symbol('fill', 0, '0,158,115,110', '0,110,80,255', 0.3)
      else analyst_symbol('fill', 0, null, '130,130,130,255', 0.1)
    end)));
  delete from layer_styles
  where f_table_schema = 'analyst' and f_table_name = view_name and stylename = 'frames' and owner = 'frames';
  insert into layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, stylename, styleqml, useasdefault, description, owner)
  values (current_database(), 'analyst', view_name, 'geom', 'frames',
    xmlelement(name qgis, xmlattributes('3.22.0' as version, 'Symbology' as "styleCategories"), renderer),
    not exists (select from layer_styles where f_table_schema = 'analyst' and f_table_name = view_name and useasdefault),
    'Made by the program from what the layer holds.', 'frames');
end $$;
comment on function analyst_style(text, text) is
  'Gives a view of schema analyst its style for QGIS. One saved from QGIS is another row: it stays, and stays the default if it is that.';
revoke execute on function analyst_style from public;

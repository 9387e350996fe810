-- analyst_symbol: a symbol of QGIS: a fill, a line or a marker of one colour.
--   kind    fill, line or marker
--   number  its name in the style
--   fill    the colour as "red,green,blue,alpha"; null for no fill
--   line    the colour of the outline or the line
--   width   in millimetres
create or replace function analyst_symbol(kind text, number int, fill text, line text, width numeric) returns xml
  language sql immutable parallel safe
  return (
    select xmlelement(name symbol, xmlattributes(kind as type, number as name, '1' as alpha, '1' as clip_to_extent),
      xmlelement(name layer, xmlattributes(
          case kind when 'fill' then 'SimpleFill' when 'line' then 'SimpleLine' else 'SimpleMarker' end as class,
          '0' as pass, '1' as enabled, '0' as locked),
        xmlagg(xmlelement(name prop, xmlattributes(k, v)) order by k)))
    from (values
      ('fill', 'color', coalesce(fill, '255,255,255,0')), ('fill', 'style', case when fill is null then 'no' else 'solid' end),
      ('fill', 'outline_color', line), ('fill', 'outline_width', width::text),
      ('fill', 'outline_style', case when width = 0 then 'no' else 'solid' end),
      ('line', 'line_color', line), ('line', 'line_width', width::text), ('line', 'line_style', 'solid'),
      ('marker', 'name', 'circle'), ('marker', 'color', fill), ('marker', 'outline_color', line), ('marker', 'outline_width', width::text),
      ('marker', 'size', '2')
    ) as property (of, k, v)
    where of = kind
  );
comment on function analyst_symbol(text, int, text, text, numeric) is 'A symbol of QGIS: a fill, a line or a marker of one colour; no fill where that is null.';

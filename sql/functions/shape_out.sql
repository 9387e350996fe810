-- shape_out: a shape as GeoJSON text in a coordinate reference system.
--   shape   in degrees
--   stored  the text kept with it; null makes it
--   crs     as for shape_in
-- Degrees have 7 places and metres 3: a centimetre and a millimetre.
create or replace function shape_out(shape geometry, stored text, crs int) returns text
  language sql immutable parallel safe
  return case crs
    when 84 then coalesce(stored, ST_AsGeoJSON(shape, 7, 0))
    when 4326 then ST_AsGeoJSON(ST_FlipCoordinates(shape), 7, 0)
    else ST_AsGeoJSON(ST_Transform(shape, crs), 3, 0)
  end;
comment on function shape_out(geometry, text, int) is
  'A shape as GeoJSON text in a coordinate reference system: 84 is degrees with the longitude first, other numbers are codes of EPSG.';

-- shape_in: a shape in degrees, WGS 84, from its text.
--   wkt  text, with coordinates in the order of crs
--   crs  84 for degrees with the longitude first, 4326 with the latitude first, or another code of EPSG, in metres
-- A straight edge in metres is a curve in degrees: longer edges get a point every kilometre, at most about 5,000 of them.
create or replace function shape_in(wkt text, crs int) returns geometry
  language sql immutable parallel safe
  return case crs
    when 84 then ST_GeomFromText(wkt, 4326)
    when 4326 then ST_FlipCoordinates(ST_GeomFromText(wkt, 4326))
    else ST_Transform(ST_Segmentize(ST_GeomFromText(wkt, crs), greatest(1000, ST_Perimeter(ST_GeomFromText(wkt)) / 5000)), 4326)
  end;
comment on function shape_in(text, int) is
  'A shape in degrees from its text in a coordinate reference system: 84 is degrees with the longitude first, other numbers are codes of EPSG.';

-- shape_read: a polygon in degrees as WKT, from its text; an error that says the place of its fault.
--   $1 shape  text  WKT, with "SRID=...;" before it where it is not in degrees, or a geometry of GeoJSON
-- budget: buffers <= 20, rows read <= 1
-- example: 'SRID=3857;POLYGON((0 0,22000 0,0 22000,0 0))'
-- Reads no table.
select ST_AsText(shape_checked($1::text::geometry)) as wkt

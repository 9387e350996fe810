-- tile_box: the box of a tile of a web map, with a margin of 1/64 of its width on each side, in degrees.
--   z  zoom
--   x  column, from the west
--   y  row, from the north
-- Maps draw a line around a shape that goes on in the next tile, which the margin keeps out of sight. The margin ends at
-- 180 degrees: beyond it ST_Transform begins again at -180, and the box would go round the earth.
create or replace function tile_box(z int, x int, y int) returns geometry
  language sql immutable parallel safe as $$
  select ST_Transform(
    ST_MakeEnvelope(
      greatest(ST_XMin(tile), -20037508.342789244), ST_YMin(tile), least(ST_XMax(tile), 20037508.342789244), ST_YMax(tile), 3857
    ),
    4326
  )
  from ST_TileEnvelope(z, x, y, margin => 1.0 / 64) as tile
$$;
comment on function tile_box(int, int, int) is 'The box of a tile of a web map, with a margin of 1/64 of its width on each side, in degrees.';

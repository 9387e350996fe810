-- tile_box: the box of a tile of a web map, with a margin of 1/64 of its width on each side, in degrees.
--   z  zoom
--   x  column, from the west
--   y  row, from the north
-- Maps draw the line around a shape that goes on in the next tile, which the margin keeps out of sight.
create or replace function tile_box(z int, x int, y int) returns geometry
  language sql immutable parallel safe as $$
  select ST_Transform(ST_TileEnvelope(z, x, y, margin => 1.0 / 64), 4326)
$$;
comment on function tile_box(int, int, int) is 'The box of a tile of a web map, with a margin of 1/64 of its width on each side, in degrees.';

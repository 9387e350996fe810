-- frames_of_tile: the frames of a tile, in TWKB of whole units.
--   $1 z  int  zoom
--   $2 x  int  column, from the west
--   $3 y  int  row, from the north
-- index: frame_geom_idx
-- budget: buffers <= 20 + 0.3 * rows, rows read <= 20 + 1.2 * rows
-- example: 9, 256, 255
-- null: shape
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
)
select frame.frame_id::text as id, ST_AsTWKB(tile_shape(frame.geom, tile.box, $1::int, $2::int, $3::int), 0) as shape
from tile
join frame on frame.geom && tile.box

-- frames: the frames of a tile.
--   $1 z  int  zoom
--   $2 x  int  column, from the west
--   $3 y  int  row, from the north
-- index: frame_geom_idx
-- budget: buffers <= 20 + 2 * rows, rows read <= 20 + 1.2 * rows
-- example: 9, 256, 255
with tile as materialized (  -- the tile's corner in metres (EPSG:3857), and the tile with its margin in degrees
  select
    ST_XMin(ST_TileEnvelope($1::int, $2::int, $3::int)) as west,
    ST_YMax(ST_TileEnvelope($1::int, $2::int, $3::int)) as north,
    4096 * 2 ^ $1::int / 40075016.68557849 as units_a_metre,
    ST_Transform(ST_TileEnvelope($1::int, $2::int, $3::int, margin => 64.0 / 4096), 4326) as degrees
)
select
  frame.frame_id::text as id,
  ST_AsTWKB(
    ST_TransScale(ST_Transform(frame.geom, 3857), -tile.west, -tile.north, tile.units_a_metre, -tile.units_a_metre),
    0
  ) as shape
from tile
join frame on frame.geom && tile.degrees

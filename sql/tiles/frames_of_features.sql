-- frames_of_features: the frames of a tile, each with the number of a dataset's features that intersect it.
--   $1 z      int   zoom
--   $2 x      int   column, from the west
--   $3 y      int   row, from the north
--   $4 layer  text  the dataset
-- index: frame_geom_idx, feature_frame_pkey
-- budget: buffers <= 40 + 6 * rows, rows read <= 140 + 3 * rows
-- example: 9, 256, 255, 'lyr_schools'
with tile as materialized (  -- the tile's corner in metres (EPSG:3857), and the tile with its margin in degrees
  select
    ST_XMin(ST_TileEnvelope($1::int, $2::int, $3::int)) as west,
    ST_YMax(ST_TileEnvelope($1::int, $2::int, $3::int)) as north,
    4096 * 2 ^ $1::int / 40075016.68557849 as units_a_metre,
    ST_Transform(ST_TileEnvelope($1::int, $2::int, $3::int, margin => 64.0 / 4096), 4326) as degrees
), chosen as materialized (  -- the version of the dataset that is served
  select version from dataset where layer_id = $4::text and kind <> 'frames'
)
select
  frame.frame_id::text as id,
  ST_AsTWKB(
    ST_TransScale(ST_Transform(frame.geom, 3857), -tile.west, -tile.north, tile.units_a_metre, -tile.units_a_metre),
    0
  ) as shape,
  (
    select count(*)::float8
    from feature_frame
    where feature_frame.version = chosen.version and feature_frame.frame_id = frame.frame_id
  ) as value,
  null::text as class
from tile
cross join chosen
join frame on frame.geom && tile.degrees

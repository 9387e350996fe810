-- frames_of_features: the frames of a tile, each with the number of a dataset's features that intersect it.
--   $1 z      int   zoom
--   $2 x      int   column, from the west
--   $3 y      int   row, from the north
--   $4 layer  text  the dataset
-- index: frame_geom_idx, feature_frame_pkey
-- budget: buffers <= 40 + 6 * rows, rows read <= 140 + 3 * rows
-- example: 9, 256, 255, 'lyr_schools'
-- null: shape, value, class
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), chosen as materialized (  -- the version of the dataset that is served
  select version from dataset where layer_id = $4::text and kind <> 'frames'
)
select
  frame.frame_id::text as id,
  ST_AsTWKB(tile_shape(frame.geom, tile.box, $1::int, $2::int, $3::int), 0) as shape,
  (
    select count(*)::float8
    from feature_frame
    where feature_frame.version = chosen.version and feature_frame.frame_id = frame.frame_id
  ) as value,
  null::text as class
from tile
cross join chosen
join frame on frame.geom && tile.box

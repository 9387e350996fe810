-- features_of_tile: the features of a tile, up to a number of each dataset, in TWKB of whole units.
--   $1 z       int     zoom
--   $2 x       int     column, from the west
--   $3 y       int     row, from the north
--   $4 layers  text[]  feature datasets
--   $5 most    int     features of one dataset
--   $6 met     int     features that are looked at
-- index: feature_geom_idx
-- budget: buffers <= 100 + 3 * met, rows read <= 200 + 2 * met
-- example: 11, 1024, 1023, '{lyr_schools,lyr_roads}', 500, 10000
-- null: shape, cut
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), layer as materialized (  -- one row for each dataset, with the dimension of its shapes: 1 for points, 3 for polygons
  select version, layer_id, case kind when 'points' then 1 when 'lines' then 2 else 3 end as dimension
  from dataset
  where layer_id = any($4::text[]) and kind <> 'frames'
), near as materialized (  -- features whose box touches that of the tile
  select feature.version, feature.feature_no, feature.feature_id, feature.geom
  from tile
  join feature on feature.geom && tile.box and feature.version = any (array(select version from layer))
  limit $6::int
), numbered as (  -- the same, numbered within their dataset
  select near.*, row_number() over (partition by version order by feature_no) as number,
    count(*) over (partition by version) > $5::int or count(*) over () >= $6::int as is_cut
  from near
)
select
  layer.layer_id as dataset, numbered.feature_no::int as no, numbered.feature_id as id,
  ST_AsTWKB(
    tile_shape(
      ST_CollectionExtract(case when numbered.geom @ tile.box then numbered.geom else ST_ClipByBox2D(numbered.geom, tile.box) end, layer.dimension),
      tile.box, $1::int, $2::int, $3::int
    ),
    0
  ) as shape,
  case when numbered.is_cut then 1 end as cut
from numbered
join layer using (version)
cross join tile
where numbered.number <= $5::int

-- blocks_of_tile: the blocks of 0.1 degrees of a tile that hold frames, in TWKB of whole units.
--   $1 z  int  zoom
--   $2 x  int  column, from the west
--   $3 y  int  row, from the north
-- index: unit_area_geom_idx, unit_pkey
-- budget: buffers <= 100 + 0.2 * rows, rows read <= 9000
-- example: 8, 128, 127
-- Blocks are numbered by rows of the country: one range holds the rows of the tile.
-- null: shape
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), land as materialized (  -- the states, in units of the tile
  select tile_shape(unit_area.geom, tile.box, $1::int, $2::int, $3::int) as shape
  from tile
  join unit_area on unit_area.geom && tile.box
  where unit_area.lga is null
), bound as materialized (  -- rows and columns of the tile's blocks, as block_at counts them
  select
    box,
    floor(ST_YMin(box) * 10 + 900)::bigint as south, floor(ST_YMax(box) * 10 + 900)::bigint as north,
    floor(ST_XMin(box) * 10 + 1800)::bigint as west, floor(ST_XMax(box) * 10 + 1800)::bigint as east
  from tile
), grid_row as materialized (  -- from where to where each row reaches, in units of the tile
  select lat, ST_YMin(strip) as top, ST_YMax(strip) as foot
  from bound
  cross join generate_series(south - 900, north - 900) as lat
  cross join lateral (
    select tile_shape(ST_MakeEnvelope(ST_XMin(box), lat / 10::float8, ST_XMax(box), (lat + 1) / 10::float8, 4326), box, $1::int, $2::int, $3::int) as strip
  ) as shape
), grid_column as materialized (  -- the same of each column
  select lon, ST_XMin(strip) as head, ST_XMax(strip) as tail
  from bound
  cross join generate_series(west - 1800, east - 1800) as lon
  cross join lateral (
    select tile_shape(ST_MakeEnvelope(lon / 10::float8, ST_YMin(box), (lon + 1) / 10::float8, ST_YMax(box), 4326), box, $1::int, $2::int, $3::int) as strip
  ) as shape
), counted as (  -- one row for each block, with its corner in tenths of a degree
  select unit_id, block, frames, km2, block % 3600 - 1800 as lon, block / 3600 - 900 as lat
  from bound
  join unit on unit.unit_id between 10000000 + south * 3600 + west and 10000000 + north * 3600 + east
  where block % 3600 between west and east
), square as materialized (  -- the same, made once, in units of the tile; 100 whole frames have 123.1 km² at the equator
  select counted.*, ST_MakeEnvelope(head, top, tail, foot, 3857) as shape,
    frames < 100 or km2 < 122 * cosd((lat + 0.5) / 10) as is_cut
  from counted
  join grid_row using (lat)
  join grid_column using (lon)
), drawn as materialized (  -- the same, without the part that no state has
  select square.*, case when is_cut then (
    select ST_CollectionExtract(ST_Collect(part), 3) from (
      select ST_CollectionExtract(ST_ClipByBox2D(land.shape, square.shape), 3) as part from land where land.shape && square.shape
    ) as cut
  ) end as land
  from square
)
select
  unit_id::text as id, block::int as block,
  ST_AsTWKB(case when ST_IsEmpty(drawn.land) then drawn.shape else coalesce(drawn.land, drawn.shape) end, 0) as shape
from drawn

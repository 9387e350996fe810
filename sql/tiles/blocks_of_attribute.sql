-- blocks_of_attribute: the blocks of a tile, as blocks.sql has them, with totals of an attribute.
--   $1 z          int   zoom
--   $2 x          int   column, from the west
--   $3 y          int   row, from the north
--   $4 layer      text  the dataset
--   $5 attribute  text  as profile.sql names it
-- index: unit_area_geom_idx, unit_pkey, attribute_pkey, unit_total_pkey, unit_interval_pkey
-- budget: buffers <= 200 + 2 * rows, rows read <= 9200 + rows
-- example: 8, 128, 127, 'lyr_population', 'pop_demest26'
-- Blocks are numbered by rows: one range holds the rows of the tile.
-- null: shape, value, class, lower, upper
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), chosen as materialized (  -- the version of the dataset that is served, and its kind
  select version, kind,
    exists (select from attribute where attribute.layer_id = dataset.layer_id and attribute.name = $5::text and attribute.draws is not null) as has_interval
  from dataset
  where layer_id = $4::text
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
), total as materialized (  -- one row for each block of these rows that has a total
  select unit_id, number, class, recorded
  from bound
  cross join chosen
  join unit_total
    on unit_total.version = chosen.version and unit_total.attribute = $5::text
    and unit_total.unit_id between 10000000 + south * 3600 + west and 10000000 + north * 3600 + east
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
  drawn.unit_id::text as id, drawn.block::int as block,
  ST_AsTWKB(case when ST_IsEmpty(drawn.land) then drawn.shape else coalesce(drawn.land, drawn.shape) end, 0) as shape,
  case when chosen.kind <> 'frames' and total.number is null then 0 else total.number end::float8 as value,
  total.class as class, coalesce(total.recorded, 0)::int as recorded, drawn.frames::int as frames,
  round(drawn.km2, 3)::float8 as km2,
  bound.lower::float8 as lower, bound.upper::float8 as upper
from drawn
cross join chosen
left join total using (unit_id)
left join lateral (
  select lower, upper
  from unit_interval
  where chosen.has_interval and unit_interval.version = chosen.version and unit_interval.attribute = $5::text
    and unit_interval.unit_id = drawn.unit_id
  limit 1
) as bound on true

-- units_of_tile: the outlines of a tile's states, its LGAs from zoom 4, its wards from zoom 8, in TWKB of whole units.
--   $1 z  int  zoom
--   $2 x  int  column, from the west
--   $3 y  int  row, from the north
-- index: unit_area_geom_idx
-- budget: buffers <= 40 + 3 * rows, rows read <= 20 + 2 * rows
-- at worst: buffers <= 10000, rows read <= 15000
-- example: 9, 256, 255
-- Below zoom 6 points lie at multiples of 8 units, a pixel, below 9 of 4, and none inside a straight line.
-- Neighbours keep their common edge, which runs along the grid: both have its points at the same multiples.
-- null: lga, ward, shape
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), unit as (  -- one row for each unit, in units of the tile
  select unit_id, state, lga, ward, tile_shape(unit_area.geom, tile.box, $1::int, $2::int, $3::int) as shape
  from tile
  join unit_area on unit_area.geom && tile.box
  where (lga is null or $1::int >= 4) and (ward is null or $1::int >= 8)
)
select
  unit_id::text as id, state as state, lga as lga, ward as ward,
  ST_AsTWKB(case when $1::int < 9 then ST_Simplify(ST_SnapToGrid(shape, case when $1::int < 6 then 8 else 4 end), 0.1) else shape end, 0) as shape
from unit

-- tile: cuts the country into tiles of 25 by 25 cells, each with the part of the outline inside it.
-- The outline is quartered five times, from blocks of 800 cells (8 degrees) to tiles of 25, so that each cut works on a
-- small piece: cutting 250,000 cells from a national outline would read all its vertices each time. 45 by 23 blocks
-- cover the world, 36,000 by 18,000 cells. Edges of tiles are edges of cells, so that no cell spans two tiles. "whole"
-- marks a tile inside the country: its cells need no cutting. Coordinates have 7 decimals (1e-7).
create unlogged table staging.tile as
with recursive piece (col, row, size, whole, geom) as (  -- blocks, and quarters of them, each with its part of the outline
  select col, row, 800 as size, false as whole, outline.geom as geom
  from (select ST_ReducePrecision(ST_UnaryUnion(ST_Collect(geom)), 1e-7) as geom from staging.outline_source) as outline
  cross join generate_series(0, 44) as block_col
  cross join generate_series(0, 22) as block_row
  cross join lateral (select block_col * 800 as col, block_row * 800 as row) as corner
  where outline.geom && ST_MakeEnvelope(
    col / 100.0 - 180, row / 100.0 - 90, (col + 800) / 100.0 - 180, (row + 800) / 100.0 - 90, 4326)
  union all
  select
    quarter.col as col,
    quarter.row as row,
    quarter.size as size,
    parent.whole or ST_Covers(parent.geom, box.geom) as whole,
    case
      when parent.whole or ST_Covers(parent.geom, box.geom) then box.geom
      else ST_CollectionExtract(ST_Intersection(parent.geom, box.geom), 3)
    end as geom
  from piece as parent
  cross join (values (0, 0), (0, 1), (1, 0), (1, 1)) as side (east, north)
  cross join lateral (
    select parent.col + east * parent.size / 2 as col, parent.row + north * parent.size / 2 as row, parent.size / 2 as size
  ) as quarter
  cross join lateral (
    select ST_MakeEnvelope(
      quarter.col / 100.0 - 180, quarter.row / 100.0 - 90,
      (quarter.col + quarter.size) / 100.0 - 180, (quarter.row + quarter.size) / 100.0 - 90, 4326) as geom
  ) as box
  where parent.size > 25 and parent.geom && box.geom and not ST_IsEmpty(parent.geom)
)
select col, row, whole, geom from piece where size = 25 and not ST_IsEmpty(geom)

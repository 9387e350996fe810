-- units_of_tile: the outlines of a tile's states, of LGAs from zoom 4, of wards from zoom 8, and from 6 what no state has.
--   $1 z  int  zoom
--   $2 x  int  column, from the west
--   $3 y  int  row, from the north
-- index: unit_area_geom_idx, unit_once
-- budget: buffers <= 600, rows read <= 1300
-- at worst: buffers <= 6000, rows read <= 15000
-- example: 9, 256, 255
-- Below zoom 6 points lie at multiples of 8 units, a pixel, below 9 of 4, and none inside a straight line. Where frames
-- lie in no state, nobody knows what is outside.
-- null: state, lga, ward, shape
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), whole as materialized (  -- one row for each unit, in units of the tile
  select unit_id, state, lga, ward, tile_shape(unit_area.geom, tile.box, $1::int, $2::int, $3::int) as shape
  from tile
  join unit_area on unit_area.geom && tile.box
  where (lga is null or $1::int >= 4) and (ward is null or $1::int >= 8)
), drawn as materialized (  -- the same with fewer points
  select unit_id, state, lga, ward,
    case when $1::int < 9 then ST_Simplify(ST_SnapToGrid(shape, case when $1::int < 6 then 8 else 4 end), 0.1) else shape end as shape
  from whole
)
select unit_id::text as id, state as state, lga as lga, ward as ward, ST_AsTWKB(shape, 0) as shape
from drawn
union all
select '0' as id, null as state, null as lga, null as ward, ST_AsTWKB(ST_CollectionExtract(outside.shape, 3), 0) as shape
from (
  select coalesce(ST_Difference(all_of_it, ST_UnaryUnion(ST_Collect(ST_MakeValid(ST_SnapToGrid(shape, 1))))), all_of_it) as shape
  from ST_MakeEnvelope(-64, -64, 4160, 4160, 3857) as all_of_it
  left join drawn on lga is null
  group by all_of_it
) as outside
where $1::int >= 6 and not ST_IsEmpty(outside.shape) and (select sum(frames) from state) = (select frames from unit where level = 'country')

-- units_of_attribute: the outlines of a tile's units, as units.sql has them, with totals of an attribute.
--   $1 z          int   zoom
--   $2 x          int   column, from the west
--   $3 y          int   row, from the north
--   $4 layer      text  the dataset
--   $5 attribute  text  as profile.sql names it
-- index: unit_area_geom_idx, unit_pkey, attribute_pkey, unit_total_pkey, unit_interval_pkey
-- budget: buffers <= 60 + 10 * rows, rows read <= 140 + 4 * rows
-- at worst: buffers <= 15000, rows read <= 16000
-- example: 9, 256, 255, 'lyr_population', 'pop_demest26'
-- null: lga, ward, shape, value, class, lower, upper
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), chosen as materialized (  -- the version of the dataset that is served, and its kind
  select version, kind,
    exists (select from attribute where attribute.layer_id = dataset.layer_id and attribute.name = $5::text and attribute.draws is not null) as has_interval
  from dataset
  where layer_id = $4::text
), drawn as (  -- one row for each unit, in units of the tile
  select unit_id, state, lga, ward, area_km2, tile_shape(unit_area.geom, tile.box, $1::int, $2::int, $3::int) as shape
  from tile
  join unit_area on unit_area.geom && tile.box
  where (lga is null or $1::int >= 4) and (ward is null or $1::int >= 8)
)
select
  drawn.unit_id::text as id, drawn.state as state, drawn.lga as lga, drawn.ward as ward,
  ST_AsTWKB(case when $1::int < 9 then ST_Simplify(ST_SnapToGrid(drawn.shape, case when $1::int < 6 then 8 else 4 end), 0.1) else drawn.shape end, 0) as shape,
  case when chosen.kind <> 'frames' and total.number is null then 0 else total.number end::float8 as value,
  total.class as class, coalesce(total.recorded, 0)::int as recorded, unit.frames::int as frames,
  round(drawn.area_km2, 3)::float8 as km2,
  bound.lower::float8 as lower, bound.upper::float8 as upper
from drawn
join unit using (unit_id)
cross join chosen
left join lateral (
  select number, class, recorded
  from unit_total
  where unit_total.version = chosen.version and unit_total.attribute = $5::text and unit_total.unit_id = drawn.unit_id
  limit 1
) as total on true
left join lateral (
  select lower, upper
  from unit_interval
  where chosen.has_interval and unit_interval.version = chosen.version and unit_interval.attribute = $5::text
    and unit_interval.unit_id = drawn.unit_id
  limit 1
) as bound on true

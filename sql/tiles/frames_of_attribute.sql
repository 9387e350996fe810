-- frames_of_attribute: the frames of a tile, each with the value of an attribute of a baseline, and its bounds.
--   $1 z          int   zoom
--   $2 x          int   column, from the west
--   $3 y          int   row, from the north
--   $4 layer      text  the baseline
--   $5 attribute  text
-- index: frame_geom_idx, attribute_pkey, baseline_row_pkey, frame_interval_pkey
-- budget: buffers <= 60 + 12 * rows, rows read <= 4000 + 3.2 * rows
-- example: 9, 256, 255, 'lyr_population', 'pop_demest26'
-- null: shape, value, class, lower, upper
with tile as materialized (  -- the box of the tile
  select tile_box($1::int, $2::int, $3::int) as box
), chosen as materialized (  -- the version of the dataset that is served, and the type of the attribute
  select dataset.version, attribute.type, attribute.shared, attribute.repeats, coalesce(attribute.draws, attribute.lower) is not null as has_interval
  from dataset join attribute using (layer_id)
  where dataset.layer_id = $4::text and attribute.name = $5::text and dataset.kind = 'frames'
)
select
  frame.frame_id::text as id,
  ST_AsTWKB(tile_shape(frame.geom, tile.box, $1::int, $2::int, $3::int), 0) as shape,
  number.value::float8 as value,
  case when chosen.type = 'category' then class_of_value(found.value, chosen.shared, chosen.repeats, frame.frame_id) end as class,
  bound.lower::float8 as lower, bound.upper::float8 as upper
from tile
cross join chosen
join frame on frame.geom && tile.box
left join lateral (
  select nullif(btrim(recorded ->> $5::text), '') as value
  from baseline_row
  where baseline_row.version = chosen.version and baseline_row.frame_id = frame.frame_id
  limit 1
) as found on true
left join lateral (
  select lower, upper
  from frame_interval
  where chosen.has_interval and frame_interval.version = chosen.version and frame_interval.attribute = $5::text
    and frame_interval.frame_id = frame.frame_id
  limit 1
) as bound on true
-- "offset 0" keeps PostgreSQL from running plain_number wherever the value stands, which took a third of the time
cross join lateral (select case when chosen.type = 'number' then plain_number(found.value) end as value offset 0) as number

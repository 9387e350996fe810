-- totals_of_box: sums and means over the frames that touch a box, by whole blocks and frames around them.
--   $1 min_lon  float8  degrees
--   $2 min_lat  float8
--   $3 max_lon  float8
--   $4 max_lat  float8
--   $5 layers   text[]
-- index: frame_geom_idx, unit_once, attribute_pkey, unit_total_pkey, baseline_row_pkey, feature_frame_pkey
-- budget: buffers <= 200000, rows read <= 60000
-- example: -0.35, -0.35, 0.35, 0.35, '{lyr_population,lyr_schools}'
-- Weighted means, classes and features are no sums of those of blocks: their number is null. The rim of a nation has
-- 20,000 frames.
with box as materialized (  -- the rows and columns of blocks wholly inside
  -- A block lies a hundredth of a degree inside, so that each frame whose centre is in the block touches the box.
  select
    ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326) as geom,
    ceil(($2::float8 + 0.01) * 10 + 900)::int as first_row, floor(($4::float8 - 0.01) * 10 + 900)::int - 1 as last_row,
    ceil(($1::float8 + 0.01) * 10 + 1800)::int as first_column, floor(($3::float8 - 0.01) * 10 + 1800)::int - 1 as last_column
), side as materialized (  -- the edges of the rectangle of these blocks, in degrees; no row without a block
  select first_column / 10.0 - 180 as west, first_row / 10.0 - 90 as south, (last_column + 1) / 10.0 - 180 as east, (last_row + 1) / 10.0 - 90 as north
  from box
  where first_row <= last_row and first_column <= last_column
), strip as materialized (  -- the box around that rectangle, or the whole box
  select ST_MakeEnvelope(edge.west, edge.south, edge.east, edge.north, 4326) as geom
  from side
  cross join lateral (values
    ($1::float8, $2::float8, $3::float8, south), ($1::float8, north, $3::float8, $4::float8),
    ($1::float8, south, west, north), (east, south, $3::float8, north)
  ) as edge (west, south, east, north)
  union all
  select geom from box where not exists (select from side)
), block as materialized (  -- the blocks inside that have frames
  select unit.unit_id, unit.frames
  from box
  join unit on unit.level = 'block'
    and unit.block / 3600 between box.first_row and box.last_row and unit.block % 3600 between box.first_column and box.last_column
), rim as materialized (  -- the frames that touch the box, and lie in none of these blocks
  select distinct found.frame_id
  from strip
  cross join box
  cross join lateral (
    select frame_id, block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2) as block
    from frame
    where frame.geom && strip.geom and ST_Intersects(frame.geom, box.geom)
    offset 0
  ) as found
  where not (found.block / 3600 between box.first_row and box.last_row and found.block % 3600 between box.first_column and box.last_column)
), layer as materialized (  -- one row for each dataset that exists, with its place among $5
  select layer_id, version, kind, name, given.place
  from unnest($5::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
), listed as materialized (  -- one row for each attribute; features are counted
  select layer.place as layer, layer.version, attribute.place, attribute.name, attribute.label, attribute.unit, attribute.type, attribute.summary
  from layer
  join attribute using (layer_id)
  where kind = 'frames'
  union all
  select layer.place, layer.version, 1, 'features', layer.name, null, 'number', 'count' from layer where kind <> 'frames'
), of_blocks as (  -- each attribute over the blocks: what its values add up to, and the frames that have one
  select listed.layer, listed.name, sum(total.number * case listed.summary when 'mean' then total.recorded else 1 end) as sum, sum(total.recorded) as recorded
  from listed
  cross join (select min(unit_id) as first_id, max(unit_id) as last_id from block) as bound
  cross join lateral (
    select unit_id, number, recorded from unit_total
    where unit_total.version = listed.version and unit_total.attribute = listed.name and unit_id between bound.first_id and bound.last_id
    offset 0
  ) as total
  join block using (unit_id)
  group by listed.layer, listed.name
), held as materialized (  -- the row of each baseline on each frame of the rim
  select layer.place as layer, found.recorded
  from layer
  cross join rim
  cross join lateral (
    select recorded from baseline_row where baseline_row.version = layer.version and baseline_row.frame_id = rim.frame_id limit 1
  ) as found
), of_rim as (  -- the same over the frames of the rim
  select listed.layer, listed.name, sum(cell.number) as sum,
    count(*) filter (where case listed.type when 'number' then cell.number is not null else cell.value <> '' end) as recorded
  from held
  -- each JSON is read once
  cross join lateral json_each_text(held.recorded) as recorded (name, text)
  join listed on listed.layer = held.layer and listed.name = recorded.name
  cross join lateral (
    -- Most numbers have the simple form that is looked for first; the expression of plain_number takes four times as long.
    select btrim(recorded.text) as value, case
        when listed.type <> 'number' then null
        when length(recorded.text) <= 30 and recorded.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then recorded.text::numeric
        else plain_number(recorded.text)
      end as number
  ) as cell
  group by listed.layer, listed.name
  union all
  select layer.place, 'features', null, count(*)
  from layer
  cross join rim
  cross join lateral (
    select from feature_frame where feature_frame.version = layer.version and feature_frame.frame_id = rim.frame_id limit 1
  ) as found
  where kind <> 'frames'
  group by layer.place
), whole as (  -- both together
  select layer, name, sum(sum) as sum, sum(recorded) as recorded
  from (select * from of_blocks union all select * from of_rim) as part
  group by layer, name
)
select
  counted.blocks::int as blocks, counted.in_blocks::int as "inBlocks", counted.on_rim::int as "onRim",
  listed.layer::int as layer, listed.name as attribute, listed.label as label, listed.unit as unit, listed.summary as summary,
  trim_scale(case listed.summary
    when 'sum' then whole.sum
    when 'mean' then round(whole.sum / nullif(whole.recorded, 0), greatest(2, coalesce(1 - floor(log(nullif(abs(whole.sum / nullif(whole.recorded, 0)), 0))), 2))::int)
  end)::text as number,
  coalesce(whole.recorded, 0)::int as recorded
from (
  select (select count(*) from block) as blocks, (select coalesce(sum(frames), 0) from block) as in_blocks, (select count(*) from rim) as on_rim
) as counted
left join listed on true
left join whole on whole.layer = listed.layer and whole.name = listed.name
order by listed.layer, listed.place, listed.name

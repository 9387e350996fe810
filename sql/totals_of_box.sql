-- totals_of_box: the totals of datasets over the frames that touch a box, by whole blocks and frames around them.
--   $1 min_lon  float8  degrees
--   $2 min_lat  float8
--   $3 max_lon  float8
--   $4 max_lat  float8
--   $5 layers   text[]
-- index: frame_geom_idx, unit_pkey, attribute_pkey, unit_total_pkey, block_feature_pkey, baseline_row_pkey, feature_frame_pkey
-- budget: buffers <= 300000, rows read <= 120000
-- example: -0.35, -0.35, 0.35, 0.35, '{lyr_population,lyr_schools}'
-- Rounded as in totals_of_unit. Classes come the most common first.
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
  select unit.unit_id, unit.frames, unit.km2
  from box
  -- the numbers of blocks grow by rows: one range holds the rows, and else every block of the country would be read
  join unit on unit.unit_id between 10000000 + first_row * 3600 + first_column and 10000000 + last_row * 3600 + last_column
    and unit.block / 3600 between box.first_row and box.last_row and unit.block % 3600 between box.first_column and box.last_column
), bound as materialized (  -- the first and the last of them
  select min(unit_id) as first_id, max(unit_id) as last_id from block
), rim as materialized (  -- the frames that touch the box, and lie in none of these blocks
  select distinct found.frame_id, found.area_km2
  from strip
  cross join box
  cross join lateral (
    select frame_id, area_km2, block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2) as block
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
  select layer.place as layer, layer.version, attribute.place, attribute.name, attribute.label, attribute.unit, attribute.type, attribute.summary,
    attribute.weight,
    attribute.summary = 'mode' and exists (select from class where class.layer_id = layer.layer_id and class.name = attribute.name) as has_classes
  from layer
  join attribute using (layer_id)
  where kind = 'frames'
  union all
  select layer.place, layer.version, 1, 'features', layer.name, null, 'number', 'count', null, false from layer where kind <> 'frames'
), of_blocks as (  -- each attribute over the blocks: what its values add up to, the weights, and the frames that have one
  select listed.layer, listed.name, found.total, found.weight, found.recorded
  from listed
  cross join bound
  cross join lateral (
    select sum(coalesce(unit_total.total, unit_total.number)) as total, sum(unit_total.weight) as weight, sum(unit_total.recorded) as recorded
    from unit_total
    join block using (unit_id)
    where unit_total.version = listed.version and unit_total.attribute = listed.name and unit_id between bound.first_id and bound.last_id
  ) as found
), of_rim as materialized (  -- the same over the frames of the rim, for each class; each JSON is read once
  select listed.layer, listed.name, case when listed.has_classes then plain.text end as class,
    -- a weight of zero or less counts in no mean
    case when listed.summary in ('mean', 'weighted_mean') then sum(plain.number * cell.share) filter (where cell.share > 0) else sum(plain.number) end as total,
    sum(cell.share) filter (where cell.share > 0) as weight, count(*) as recorded
  from rim
  cross join layer
  cross join lateral (
    select recorded from baseline_row where baseline_row.version = layer.version and baseline_row.frame_id = rim.frame_id limit 1
  ) as held
  cross join lateral json_each_text(held.recorded) as value (name, text)
  join listed on listed.layer = layer.place and listed.name = value.name
  cross join lateral (
    -- Most numbers have the simple form that is looked for first; the expression of plain_number takes four times as long.
    select btrim(value.text) as text, case
        when listed.type <> 'number' then null
        when length(value.text) <= 30 and value.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then value.text::numeric
        else plain_number(value.text)
      end as number
    offset 0
  ) as plain
  cross join lateral (  -- what weights the number
    select case
        when plain.number is null then null
        when listed.summary = 'mean' then 1
        when listed.weight = 'area' then rim.area_km2
        when listed.summary = 'weighted_mean' then plain_number(held.recorded ->> listed.weight)
      end as share
    offset 0
  ) as cell
  where case listed.type when 'number' then plain.number is not null else plain.text <> '' end
  group by listed.layer, listed.name, listed.summary, case when listed.has_classes then plain.text end
), wide as materialized (  -- one row for each block inside and feature of it that lies in other blocks too
  select layer.place as layer, found.feature_no
  from layer
  cross join bound
  cross join lateral (
    select unit_id, feature_no from block_feature
    where block_feature.version = layer.version and unit_id between bound.first_id and bound.last_id
    offset 0
  ) as found
  join block using (unit_id)
  where layer.kind <> 'frames'
), met as (  -- the same, and one row for each frame of the rim and feature on it
  select layer, feature_no, null::bigint as frame_id from wide
  union all
  select layer.place, found.feature_no, rim.frame_id
  from layer
  cross join rim
  cross join lateral (
    select feature_no from feature_frame where feature_frame.version = layer.version and feature_frame.frame_id = rim.frame_id offset 0
  ) as found
  where layer.kind <> 'frames'
), of_features as (  -- features on the rim; those of several blocks are in of_blocks once for each, and count once
  select layer, 'features' as name, count(distinct feature_no) - count(*) filter (where frame_id is null) as total, null::numeric as weight,
    count(distinct frame_id) as recorded
  from met
  group by layer
), whole as (  -- all of them together
  select layer, name, sum(total) as total, sum(weight) as weight, sum(recorded) as recorded
  from (
    select * from of_blocks
    union all
    select layer, name, total, weight, recorded from of_rim
    union all
    select * from of_features
  ) as part
  group by layer, name
), sorted as (  -- the frames of each class, of blocks and of the rim
  select layer, name, class, sum(frames) as frames
  from (
    select listed.layer, listed.name, found.class, found.frames
    from listed
    cross join bound
    cross join lateral (
      select class, sum(block_class.frames) as frames
      from block_class
      join block using (unit_id)
      where block_class.version = listed.version and block_class.attribute = listed.name and unit_id between bound.first_id and bound.last_id
      group by class
    ) as found
    where listed.has_classes
    union all
    select layer, name, class, recorded from of_rim where class is not null
  ) as part
  group by layer, name, class
), common as (  -- one row for each attribute that has classes
  select layer, name, json_agg(json_build_object('class', class, 'frames', frames) order by frames desc, class collate "C") as classes
  from sorted
  group by layer, name
)
select
  counted.blocks::int as blocks, counted.in_blocks::int as "inBlocks", (counted.frames - counted.in_blocks)::int as "onRim",
  counted.frames::int as frames, trim_scale(round(counted.km2, 2))::text as km2,
  trim_scale(counted.km2)::text as "exactKm2",
  listed.layer::int as layer, listed.name as attribute, listed.label as label, listed.unit as unit, listed.type as type, listed.summary as summary,
  trim_scale(case
    when listed.summary = 'count' then coalesce(whole.total, 0)
    when listed.summary = 'sum' then whole.total
    when listed.summary in ('mean', 'weighted_mean') then round(mean.number, greatest(2, coalesce(1 - floor(log(nullif(abs(mean.number), 0))), 2))::int)
  end)::text as number,
  common.classes as classes, coalesce(whole.recorded, 0)::int as recorded
from (
  select sum(blocks) as blocks, sum(in_blocks) as in_blocks, sum(frames) as frames, coalesce(sum(km2), 0) as km2
  from (
    select count(*) as blocks, coalesce(sum(frames), 0) as in_blocks, sum(frames) as frames, sum(km2) as km2 from block
    union all
    select 0, 0, count(*), sum(area_km2) from rim
  ) as part
) as counted
left join listed on true
left join whole on whole.layer = listed.layer and whole.name = listed.name
left join common on common.layer = listed.layer and common.name = listed.name
cross join lateral (select whole.total / nullif(whole.weight, 0) as number) as mean
order by listed.layer, listed.place, listed.name

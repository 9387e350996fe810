-- totals_of_area: the totals of datasets over the frames that touch a box or a shape, by blocks and frames.
--   $1 frames  text[]  box or shape, for frame_set
--   $2 layers  text[]
-- index: frame_geom_idx, unit_pkey, attribute_pkey, unit_total_pkey, block_feature_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_unit_pkey, unit_interval_pkey, frame_interval_pkey
-- budget: buffers <= 300000, rows read <= 120000
-- example: '{box,-0.35,-0.35,0.35,0.35}', '{lyr_population,lyr_schools}'
-- Rounded as in totals_of_unit. Classes come the most common first.
-- null: unit, number, byArea, classes, lower, upper
-- null together: layer, attribute, label, type, summary, recorded
-- kind: type number|category, summary sum|mean|weighted_mean|mode|none|count|length|area
-- json: classes { class: string; frames: number }[]
with area as materialized (  -- a box, a polygon or several
  select area_of_set($1::text[]) as geom
), piece as materialized (  -- the area in pieces: each is intersected with few frames
  select ST_Subdivide(geom, 128) as geom from area
), near as materialized (  -- the blocks with frames at the area: a frame may reach out of its block
  select unit.unit_id, unit.block, unit.frames, unit.km2, edge.geom, placed.is_inside
  from area
  cross join lateral (
    select floor(ST_YMin(geom) * 10)::int + 899 as first_row, floor(ST_YMax(geom) * 10)::int + 901 as last_row,
      floor(ST_XMin(geom) * 10)::int + 1799 as first_column, floor(ST_XMax(geom) * 10)::int + 1801 as last_column
  ) as span
  -- the numbers of blocks grow by rows: one range holds the rows, and else every block of the country would be read
  join unit on unit.unit_id between 10000000 + first_row * 3600 + first_column and 10000000 + last_row * 3600 + last_column
    and unit.block % 3600 between first_column and last_column
  cross join lateral (
    select ST_MakeEnvelope(
      unit.block % 3600 / 10.0 - 180, unit.block / 3600 / 10.0 - 90, (unit.block % 3600 + 1) / 10.0 - 180, (unit.block / 3600 + 1) / 10.0 - 90, 4326
    ) as geom
  ) as edge
  cross join lateral (
    -- a hundredth of a degree inside, so that the area covers each frame whose centre is in the block
    select ST_Covers(area.geom, ST_Expand(edge.geom, 0.01)) as is_inside offset 0
  ) as placed
  where placed.is_inside or ST_Intersects(area.geom, ST_Expand(edge.geom, 0.1))
), block as materialized (  -- those wholly inside
  select unit_id, frames, km2 from near where is_inside
), bound as materialized (  -- the first and the last of them
  select min(unit_id) as first_id, max(unit_id) as last_id from block
), rim as materialized (  -- the frames of the others that touch, with the share of each that lies inside
  select found.frame_id, found.area_km2, case when found.is_covered then 1 else coalesce(least(1, (
      select sum(ST_Area(ST_Intersection(found.geom, piece.geom))) from piece where piece.geom && found.geom
    ) / ST_Area(found.geom)), 0) end::numeric as part
  from near
  cross join area
  cross join lateral (
    select frame_id, area_km2, frame.geom, ST_Covers(area.geom, frame.geom) as is_covered
    from frame
    where frame.geom && near.geom and ST_Intersects(area.geom, frame.geom)
      and block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, (ST_YMin(frame.geom) + ST_YMax(frame.geom)) / 2) = near.block
    offset 0
  ) as found
  where not near.is_inside
), layer as materialized (  -- one row for each dataset that exists, with its place among $2
  select layer_id, version, kind, name, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
), listed as materialized (  -- one row for each attribute; features are counted
  select layer.place as layer, layer.version, attribute.place, attribute.name, attribute.label, attribute.unit, attribute.type, attribute.summary,
    attribute.weight, attribute.shared, attribute.repeats, attribute.draws is not null as has_draws,
    attribute.summary = 'mode' and exists (select from class where class.layer_id = layer.layer_id and class.name = attribute.name) as has_classes
  from layer
  join attribute using (layer_id)
  where kind = 'frames'
  union all
  select layer.place, layer.version, 1, 'features', layer.name, null, 'number', 'count', null, null, null, false, false from layer where kind <> 'frames'
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
    sum(plain.number * cell.weight) as total, sum(cell.weight) as weight, count(*) as recorded,
    sum(plain.number * cell.weight * rim.part) as total_by_area, sum(cell.weight * rim.part) as weight_by_area
  from rim
  cross join layer
  cross join lateral (
    select recorded from baseline_row where baseline_row.version = layer.version and baseline_row.frame_id = rim.frame_id limit 1
  ) as held
  cross join lateral json_each_text(held.recorded) as value (name, text)
  join listed on listed.layer = layer.place and listed.name = value.name
  cross join lateral (
    -- Most numbers have the simple form that is looked for first; the expression of plain_number takes four times as long.
    select class_of_value(btrim(value.text), listed.shared, listed.repeats, rim.frame_id) as text, case
        when listed.type <> 'number' then null
        when length(value.text) <= 30 and value.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then value.text::numeric
        else plain_number(value.text)
      end as number
    offset 0
  ) as plain
  cross join lateral (  -- what weights the number; a weight of zero or less counts in no mean
    select case
        when plain.number is null then null
        when listed.summary <> 'weighted_mean' then 1
        when listed.weight = 'area' then nullif(greatest(rim.area_km2, 0), 0)
        else nullif(greatest(plain_number(held.recorded ->> listed.weight), 0), 0)
      end as weight
    offset 0
  ) as cell
  where case listed.type when 'number' then plain.number is not null else plain.text <> '' end
  group by listed.layer, listed.name, listed.summary, case when listed.has_classes then plain.text end
), placed as materialized (  -- the frames of the rim with their blocks, where draws are asked for
  select rim.frame_id, frame_unit.block_id
  from rim
  join frame_unit using (frame_id)
  where exists (select from listed where has_draws)
), filled as materialized (  -- blocks inside, and blocks of the rim all of whose frames touch
  select unit_id from block
  union all
  select unit.unit_id
  from (select block_id, count(*) as frames from placed group by block_id) as part
  join unit on unit.unit_id = part.block_id and unit.frames = part.frames
), drawn as (  -- the draws of each attribute that has any, added up by their number: of these blocks, and of the other frames
  select layer, name, array_agg(number order by n) as draws
  from (
    select part.layer, part.name, draw.n, sum(draw.number) as number
    from (
      select listed.layer, listed.name, kept.draws
      from listed
      cross join filled
      cross join lateral (
        select draws from unit_interval
        where unit_interval.version = listed.version and attribute = listed.name and unit_interval.unit_id = filled.unit_id
        limit 1
      ) as kept
      where listed.has_draws
      union all
      select listed.layer, listed.name, kept.draws
      from listed
      cross join placed
      cross join lateral (
        select draws from frame_interval
        where frame_interval.version = listed.version and attribute = listed.name and frame_interval.frame_id = placed.frame_id
        limit 1
      ) as kept
      where listed.has_draws and placed.block_id not in (select unit_id from filled)
    ) as part
    cross join lateral unnest(part.draws) with ordinality as draw (number, n)
    group by part.layer, part.name, draw.n
  ) as added
  group by layer, name
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
  select layer, feature_no, null::bigint as frame_id, true as touches from wide
  union all
  select layer.place, found.feature_no, rim.frame_id, rim.part = 1 or exists (
      -- "offset 0" keeps GiST out
      select from (
        select geom from feature where feature.version = layer.version and feature.feature_no = found.feature_no offset 0
      ) as one
      where ST_Intersects(area.geom, one.geom)
    )
  from layer
  cross join area
  cross join rim
  cross join lateral (
    select feature_no from feature_frame where feature_frame.version = layer.version and feature_frame.frame_id = rim.frame_id offset 0
  ) as found
  where layer.kind <> 'frames'
), of_features as (  -- features on the rim, by area those that touch the area itself; those of several blocks are in of_blocks once for each, and count once
  select layer, 'features' as name, count(distinct feature_no) - count(*) filter (where frame_id is null) as total, null::numeric as weight,
    count(distinct frame_id) as recorded, count(distinct feature_no) filter (where touches) - count(*) filter (where frame_id is null) as total_by_area
  from met
  group by layer
), whole as (  -- all of them together: of whole frames; and by area, where a frame counts by its share inside
  select layer, name, sum(total) as total, sum(weight) as weight, sum(recorded) as recorded, sum(total_by_area) as total_by_area,
    sum(weight_by_area) as weight_by_area
  from (
    select layer, name, total, weight, recorded, total as total_by_area, weight as weight_by_area from of_blocks
    union all
    select layer, name, total, weight, recorded, total_by_area, weight_by_area from of_rim
    union all
    select layer, name, total, weight, recorded, total_by_area, null from of_features
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
  trim_scale(counted.km2)::text as "exactKm2", trim_scale(round(counted.inside, 2))::text as "km2Inside",
  listed.layer::int as layer, listed.name as attribute, listed.label as label, listed.unit as unit, listed.type as type, listed.summary as summary,
  trim_scale(case
    when listed.summary = 'count' then coalesce(whole.total, 0)
    when listed.summary = 'sum' then whole.total
    when listed.summary in ('mean', 'weighted_mean') then round(mean.number, greatest(2, coalesce(1 - floor(log(nullif(abs(mean.number), 0))), 2))::int)
  end)::text as number,
  trim_scale(round(by_area.number, greatest(2, coalesce(1 - floor(log(nullif(abs(by_area.number), 0))), 2))::int))::text as "byArea",
  common.classes as classes, coalesce(whole.recorded, 0)::int as recorded,
  trim_scale(ends.lower)::text as lower, trim_scale(ends.upper)::text as upper
from (
  select sum(blocks) as blocks, sum(in_blocks) as in_blocks, sum(frames) as frames, coalesce(sum(km2), 0) as km2, coalesce(sum(inside), 0) as inside
  from (
    select count(*) as blocks, coalesce(sum(frames), 0) as in_blocks, sum(frames) as frames, sum(km2) as km2, sum(km2) as inside from block
    union all
    select 0, 0, count(*), sum(area_km2), sum(area_km2 * part) from rim
  ) as part
) as counted
left join listed on true
left join whole on whole.layer = listed.layer and whole.name = listed.name
left join common on common.layer = listed.layer and common.name = listed.name
left join drawn on drawn.layer = listed.layer and drawn.name = listed.name
left join lateral draws_interval(drawn.draws) as ends on drawn.draws is not null
cross join lateral (select whole.total / nullif(whole.weight, 0) as number) as mean
cross join lateral (
  select case
      when listed.summary = 'count' then coalesce(whole.total_by_area, 0)
      when listed.summary = 'sum' then whole.total_by_area
      when listed.summary in ('mean', 'weighted_mean') then whole.total_by_area / nullif(whole.weight_by_area, 0)
    end as number
) as by_area
order by listed.layer, listed.place, listed.name

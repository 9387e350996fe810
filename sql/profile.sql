-- profile: the usual figures of a place, or of frames, for datasets.
--   $1 frames  text[]  a frame_set
--   $2 layers  text[]
-- index: attribute_pkey, unit_total_pkey
-- budget: buffers <= 300000, rows read <= 120000
-- example: '{box,-0.35,-0.35,0.35,0.35}', '{lyr_population,lyr_schools}'
-- A box or a shape has totals of whole frames, and by area by the share of each. Totals, quotients, lengths and areas have 2 places,
-- or two digits. Classes come the most common first: a unit has the first alone. One row is there without any figure.
-- null: km2Inside, unit, number, byArea, class, classFrames, classes, lower, upper
-- null together: layer, attribute, label, type, summary, recorded
-- kind: type number|category, summary sum|mean|weighted_mean|mode|none|count|length|area
-- json: classes { class: string; frames: number }[]
with cut as materialized (  -- units whose totals are kept, and the frames beside them with their share inside
  select * from place_cut($1::text[])
), whole as materialized (  -- one row for all of them
  select count(unit_id) as units, count(frame_id) as cut_frames, coalesce(sum(frames), 0) as frames, coalesce(sum(km2), 0) as km2,
    area_of_set($1::text[]) as area, sum(km2 * part) as inside, min(unit_id) as first_id, max(unit_id) as last_id,
    coalesce(array_agg(unit_id) filter (where unit_id is not null), '{}') as unit_ids, coalesce(array_agg(frame_id) filter (where frame_id is not null), '{}') as ids,
    array_agg(km2) filter (where frame_id is not null) as areas, array_agg(part) filter (where frame_id is not null) as parts
  from cut
), listed as materialized (  -- one row for each figure
  select * from figures_listed($2::text[])
), kept as materialized (  -- the units added up; a single one has its most common class
  select listed.layer, listed.name, found.*
  from listed
  cross join whole
  cross join lateral (
    select sum(coalesce(unit_total.total, unit_total.number)) as total, sum(weight) as weight, sum(recorded) as recorded, max(class) as class, max(class_frames) as class_frames
    from unit_total
    join unnest(whole.unit_ids) as inside (unit_id) using (unit_id)
    where unit_total.version = listed.version and unit_total.attribute = listed.name and unit_id between whole.first_id and whole.last_id
  ) as found
), live as materialized (  -- the frames added up, for each class
  select added.* from whole cross join lateral baselines_added(ids, areas, parts, $2::text[]) as added where cut_frames > 0
), added as (  -- units and frames together: of whole frames, and by area
  select layer, name, sum(total) as total, sum(weight) as weight, sum(recorded) as recorded, sum(total_by_area) as total_by_area, sum(weight_by_area) as weight_by_area
  from (
    select layer, name, total, weight, recorded, total as total_by_area, weight as weight_by_area from kept
    union all
    select layer, name, total, weight, recorded, total_by_area, weight_by_area from live
    union all
    select found.layer, found.name, found.total, null, found.recorded, found.total_by_area, null
    from whole
    cross join lateral features_added(ids, parts, unit_ids, area, $2::text[]) as found
    where area is not null or cut_frames > 0
  ) as part
  group by layer, name
), common as (  -- the classes of each attribute over blocks and frames
  select layer, name, json_agg(json_build_object('class', class, 'frames', frames) order by frames desc, class collate "C") as classes
  from (
    select layer, name, class, sum(frames) as frames
    from (
      select listed.layer, listed.name, found.class, found.frames
      from listed
      cross join whole
      cross join lateral (
        select class, sum(block_class.frames) as frames
        from block_class
        join unnest(whole.unit_ids) as inside (unit_id) using (unit_id)
        where block_class.version = listed.version and block_class.attribute = listed.name and unit_id between whole.first_id and whole.last_id
        group by class
      ) as found
      where listed.has_classes
      union all
      select layer, name, class, recorded from live where class is not null
    ) as part
    group by layer, name, class
  ) as sorted
  group by layer, name
)
select
  whole.units::int as units, (whole.frames - whole.cut_frames)::int as "inUnits", whole.cut_frames::int as "cutFrames",
  whole.frames::int as frames, trim_scale(round(whole.km2, 2))::text as km2,
  case when whole.area is not null then trim_scale(round(coalesce(whole.inside, 0), 2)) end::text as "km2Inside",
  listed.layer::int as layer, listed.name as attribute, listed.label as label, listed.unit as unit, listed.type as type, listed.summary as summary,
  rounded(figure.number, 2)::text as number,
  case when whole.area is not null then rounded(figure.by_area, 2) end::text as "byArea",
  coalesce(common.classes -> 0 ->> 'class', kept.class) as class, coalesce((common.classes -> 0 ->> 'frames')::int, kept.class_frames::int) as "classFrames",
  common.classes as classes, case when listed.name is not null then coalesce(added.recorded, 0) end::int as recorded,
  trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper
from whole
left join listed on true
left join kept using (layer, name)
left join added using (layer, name)
left join common using (layer, name)
cross join lateral (
  select
    case when listed.summary in ('mean', 'weighted_mean') then added.total / nullif(added.weight, 0)
      when listed.summary in ('count', 'length', 'area') then coalesce(added.total, 0) when listed.summary = 'sum' then added.total end as number,
    case when listed.summary in ('mean', 'weighted_mean') then added.total_by_area / nullif(added.weight_by_area, 0)
      when listed.summary = 'count' then coalesce(added.total_by_area, 0) when listed.summary = 'sum' then added.total_by_area end as by_area
) as figure
cross join lateral (select case when listed.has_draws then draws_added(whole.unit_ids, whole.ids, listed.version, listed.name) end as draws offset 0) as run
left join lateral draws_interval(run.draws) as bound on run.draws is not null  -- the 95 % interval of the total
order by listed.layer, listed.place, listed.name

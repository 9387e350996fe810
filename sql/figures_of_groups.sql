-- figures_of_groups: a figure of a subject over the frames of each unit or class.
--   $1 frames   text[]
--   $2 layer    text
--   $3 subject  text
--   $4 groups   text  layer
--   $5 unit     text  or category
--   $6 statistic  text
--   $7 above     numeric
--   $8 at_least  numeric
--   $9 below     numeric
--   $10 at_most  numeric
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 1000 + 160 * frames, rows read <= 12000
-- example: '{322074005}', 'lyr_population', 'pop_demest26', 'frames', 'lga', 'sum', 0, 0, 9, 9
-- null: path, number, classes, $3, $5
-- json: classes { value: string; frames: number }[]
with grouped as materialized (  -- each frame that has a group; a unit has the names of those above it before its own
  select
    member.frame_id, member.value as name, frame.area_km2,
    case when $4::text = 'frames' then (array[frame.state, frame.lga, frame.ward])[1:array_position('{state,lga,ward}'::text[], $5::text)] end as path
  from frame_values(frame_set($1::text[]), $4::text, $5::text) as member
  join frame using (frame_id)
  where member.value <> ''
), weighing as (  -- the attribute that weights the subject, or area
  select weight from attribute where layer_id = $2::text and name = $3::text
), cell as materialized (  -- each of the frames, with what it records of the subject, and its weight
  select grouped.*, valued.value, valued.number,
    case when (select weight from weighing) = 'area' then grouped.area_km2 else weight.number end as share
  from grouped
  left join frame_values(frame_set($1::text[]), $2::text, $3::text) as valued using (frame_id)
  left join frame_values(frame_set($1::text[]), $2::text, (select weight from weighing)) as weight
    on weight.frame_id = grouped.frame_id and (select weight from weighing) <> 'area'
), each as (  -- one row for each group
  select
    name, path, array_agg(frame_id) filter (where number is not null) as ids, count(*) as frames,
    count(*) filter (where number is not null or ($6::text = 'mode' and value is not null)) as recorded,
    avg(number) as mean, min(number) as lowest, max(number) as highest, sum(area_km2) filter (where number is not null) as km2,
    sum(number * share) filter (where share > 0) / sum(share) filter (where share > 0 and number is not null) as weighted_mean
  from cell
  group by name, path
), entire as (  -- of all of the frames
  select total from frames_total(frame_set($1::text[]), $2::text, $3::text) where $6::text = 'portion'
), figure as materialized (  -- the same, with the figure that is asked
  select each.*, case $6::text
      -- no feature on these frames has the property
      when 'sum' then coalesce(whole.total, case when recorded > 0 then 0 end)
      when 'mean' then mean
      when 'weighted_mean' then weighted_mean
      when 'per_km2' then whole.total / nullif(km2, 0)
      when 'portion' then 100 * coalesce(whole.total, case when recorded > 0 then 0 end) / nullif((select total from entire), 0)
      when 'min' then lowest
      when 'max' then highest
    end as exact
  from each
  -- a feature on several frames of a group counts once there
  left join lateral frames_total(each.ids, $2::text, $3::text) as whole on $6::text in ('sum', 'per_km2', 'portion')
), rounded as (  -- quotients and areas have 2 places, and a small density or share has two digits that are not zero
  select figure.*, case
      when $6::text = 'per_km2' then round(exact, greatest(2, coalesce(1 - floor(log(nullif(abs(exact), 0))), 2))::int)
      when $6::text = 'portion' then round(exact, greatest(1, coalesce(1 - floor(log(nullif(abs(exact), 0))), 1))::int)
      when $6::text in ('mean', 'weighted_mean') or $3::text = 'geom' then round(exact, 2)
      else exact
    end as number
  from figure
)
select
  name as name, path as path, frames::int as frames, recorded::int as recorded, trim_scale(number)::text as number,
  coalesce(number > $7::numeric and number >= $8::numeric and number < $9::numeric and number <= $10::numeric, false) as passes,
  (rank() over (order by number desc nulls last))::int as highest, (rank() over (order by number nulls last))::int as lowest,
  case when $6::text = 'mode' then (
    select json_agg(json_build_object('value', value, 'frames', frames) order by frames desc, value collate "C")
    from (
      select cell.value, count(*)::int as frames from cell
      where cell.name = rounded.name and cell.path is not distinct from rounded.path and cell.value is not null
      group by cell.value
    ) as class
  ) end as classes
from rounded
order by rounded.number desc nulls last, name collate "C", path collate "C"

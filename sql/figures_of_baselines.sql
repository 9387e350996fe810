-- figures_of_baselines: sum, mean, extremes and classes of each attribute over these frames.
--   $1 frames  text[]  a frame_set
--   $2 layers  text[]    baseline datasets
-- index: baseline_row_pkey, frame_pkey
-- budget: buffers <= 50 + 6 * frames * layers, rows read <= 1100 + 2 * frames * layers
-- example: '{322074005,322074006}', '{lyr_population,lyr_terrain}'
-- Totals and means have 2 places. Areas weigh to the square metre, so that equal cells weigh the same. A weight of zero or less
-- counts in no mean.
-- null: unit, weight, method, noun, plural, interval, sum, mean, weightedMean, lowest, lowestFrame, highest, highestFrame, classes
-- kind: type number|category, summary sum|mean|weighted_mean|mode|none, interval draws|bounds
-- json: classes { value: string; frames: number }[]
with asked as (  -- one row for each id that the index knows
  select frame_id, area_km2
  from unnest(frame_set($1::text[])) as id (frame_id)
  join frame using (frame_id)
), layer as materialized (  -- one row for each dataset that exists, with its place among $2
  select layer_id, dataset.version, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  order by given.place
), held as materialized (  -- the row of each dataset on each frame
  select layer.layer_id, layer.place, asked.frame_id, asked.area_km2, found.recorded
  from layer
  cross join asked
  cross join lateral (
    select recorded from baseline_row
    where baseline_row.version = layer.version and baseline_row.frame_id = asked.frame_id
    limit 1
  ) as found
), cell as (  -- each attribute on each frame: its value, and the share that weights it
  select held.place as layer, attribute.*, held.frame_id, btrim(held.recorded ->> attribute.name) as value,
    case when attribute.draws is not null then 'draws' when attribute.lower is not null then 'bounds' end as interval,
    case when attribute.weight = 'area' then held.area_km2 else plain_number(held.recorded ->> attribute.weight) end as share
  from held
  join attribute on attribute.layer_id = held.layer_id
  where btrim(held.recorded ->> attribute.name) <> ''
), numbered as (  -- the same, with the number that a value is
  select cell.*, case when type = 'number' then plain_number(value) end as number from cell
), grouped as (  -- one row for each attribute, with its figures
  select layer, name, label, unit, type, summary, weight, method, noun, plural, interval, place,
    count(*) filter (where type = 'category' or number is not null) as frames,
    sum(number) as sum, avg(number) as mean,
    sum(number * share) filter (where share > 0) / sum(share) filter (where share > 0 and number is not null) as weighted_mean,
    count(*) filter (where share > 0 and number is not null) as weighted_frames,
    min(number) as lowest, (array_agg(frame_id order by number, frame_id) filter (where number is not null))[1] as lowest_frame,
    cardinality(array_positions(array_agg(number), min(number))) as lowest_frames,
    max(number) as highest, (array_agg(frame_id order by number desc, frame_id) filter (where number is not null))[1] as highest_frame,
    cardinality(array_positions(array_agg(number), max(number))) as highest_frames
  from numbered
  group by layer, name, label, unit, type, summary, weight, method, noun, plural, interval, place
)
select
  layer::int as layer, name as name, label as label, unit as unit, type as type, summary as summary, weight as weight, method as method,
  noun as noun, plural as plural, interval as interval,
  frames::int as frames,
  rounded(sum, 2)::text as sum, trim_scale(round(mean, 2))::text as mean, trim_scale(round(weighted_mean, 2))::text as "weightedMean",
  weighted_frames::int as "weightedFrames",
  trim_scale(lowest)::text as lowest, lowest_frame::text as "lowestFrame", coalesce(lowest_frames, 0)::int as "lowestFrames",
  trim_scale(highest)::text as highest, highest_frame::text as "highestFrame", coalesce(highest_frames, 0)::int as "highestFrames",
  common.classes as classes
from grouped
left join lateral (
  select json_agg(json_build_object('value', value, 'frames', frames) order by frames desc, value collate "C") as classes
  from (
    select class_of_value(value, shared, repeats, frame_id) as value, count(*)::int as frames from numbered
    where type = 'category' and numbered.layer = grouped.layer and numbered.name = grouped.name
    group by 1
  ) as class
) as common on true
order by layer, place

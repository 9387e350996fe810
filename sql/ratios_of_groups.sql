-- ratios_of_groups: the ratio of two totals in each unit or class.
--   $1 frames  text[]
--   $2 layer  text
--   $3 first  text
--   $4 other  text
--   $5 second  text
--   $6 groups  text
--   $7 unit  text
--   $8 times  numeric
--   $9 above  numeric
--   $10 at_least  numeric
--   $11 below  numeric
--   $12 at_most  numeric
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 1000 + 160 * frames, rows read <= 24000
-- example: '{322074005}', 'lyr_schools', null, 'lyr_population', 'pop_demest26', 'frames', 'lga', 1, 0, 0, 9, 9
-- null: path, number, classes, $3, $5, $7
-- json: classes { value: string; frames: number }[]
with asked as (  -- whether a frame without a value has none, as it has of features
  select coalesce((select kind <> 'frames' from dataset where layer_id = $2::text), false) as is_of_features
), valued as materialized (  -- what the frames record of the first
  select frame_id, number from frame_values(frame_set($1::text[]), $2::text, $3::text)
), grouped as materialized (  -- one row for each group; a unit has the names of those above it before its own
  select
    member.value as name, count(*) as frames, array_agg(member.frame_id) as ids,
    case when (select is_of_features from asked) then count(*) else count(valued.number) end as recorded,
    case when $6::text = 'frames' then (array[frame.state, frame.lga, frame.ward])[1:array_position('{state,lga,ward}'::text[], $7::text)] end as path
  from frame_values(frame_set($1::text[]), $6::text, $7::text) as member
  join frame using (frame_id)
  left join valued using (frame_id)
  where member.value <> ''
  group by name, path
), divided as materialized (  -- the same, with the ratio
  select grouped.*, $8::numeric * coalesce(one.total, case when is_of_features then 0 end) / nullif(other.total, 0) as ratio
  from grouped
  cross join asked
  cross join lateral frames_total(grouped.ids, $2::text, $3::text) as one
  cross join lateral frames_total(grouped.ids, $4::text, $5::text) as other
)
select
  name as name, path as path, frames::int as frames, recorded::int as recorded,
  -- a small quotient has two digits that are not zero
  trim_scale(round(ratio, greatest(2, coalesce(1 - floor(log(nullif(abs(ratio), 0))), 2))::int))::text as number,
  coalesce(ratio > $9::numeric and ratio >= $10::numeric and ratio < $11::numeric and ratio <= $12::numeric, false) as passes,
  (rank() over (order by ratio desc nulls last))::int as highest, (rank() over (order by ratio nulls last))::int as lowest,
  null::json as classes
from divided
order by divided.ratio desc nulls last, name collate "C", path collate "C"

-- shares_of_groups: the percentage of the total of a subject that some frames have in each group.
--   $1 frames   text[]
--   $2 layer    text
--   $3 subject  text
--   $4 groups   text
--   $5 unit     text
--   $6 some     text[]
--   $7 above     numeric
--   $8 at_least  numeric
--   $9 below     numeric
--   $10 at_most  numeric
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 1000 + 160 * frames, rows read <= 24000
-- example: '{322074005}', 'lyr_population', 'pop_demest26', 'frames', 'lga', '{322074005}', 0, 0, 9, 9
-- null: path, number, classes, $3, $5
-- json: classes { value: string; frames: number }[]
with chosen as materialized (  -- the frames that are a part
  select frame_id from unnest(frame_set($6::text[])) as frame_id
), grouped as materialized (  -- one row for each group; a unit has the names of those above it before its own
  select
    member.value as name, count(*) as frames, count(valued.number) as recorded, array_agg(member.frame_id) filter (where valued.number is not null) as ids,
    array_agg(member.frame_id) filter (where valued.number is not null and chosen.frame_id is not null) as own,
    case when $4::text = 'frames' then (array[frame.state, frame.lga, frame.ward])[1:array_position('{state,lga,ward}'::text[], $5::text)] end as path
  from frame_values(frame_set($1::text[]), $4::text, $5::text) as member
  join frame using (frame_id)
  left join frame_values(frame_set($1::text[]), $2::text, $3::text) as valued using (frame_id)
  left join chosen using (frame_id)
  where member.value <> ''
  group by name, path
), divided as materialized (  -- the same, with the part; a group without a total has none
  select grouped.*, 100 * coalesce(part.total, 0) / nullif(whole.total, 0) as percent
  from grouped
  left join lateral frames_total(grouped.ids, $2::text, $3::text) as whole on true
  -- a feature on several frames of a group counts once there
  left join lateral frames_total(grouped.own, $2::text, $3::text) as part on true
)
select
  name as name, path as path, frames::int as frames, recorded::int as recorded,
  -- a small part has two digits that are not zero
  trim_scale(round(percent, greatest(1, coalesce(1 - floor(log(nullif(abs(percent), 0))), 1))::int))::text as number,
  coalesce(percent > $7::numeric and percent >= $8::numeric and percent < $9::numeric and percent <= $10::numeric, false) as passes,
  (rank() over (order by percent desc nulls last))::int as highest, (rank() over (order by percent nulls last))::int as lowest,
  null::json as classes
from divided
order by divided.percent desc nulls last, name collate "C", path collate "C"

-- intervals_of_groups: between which bounds the total of a modelled attribute lies in each unit or class; no row for one without draws.
--   $1 frames     text[]  a frame_set
--   $2 layer      text    the baseline
--   $3 attribute  text
--   $4 groups     text    layer
--   $5 unit       text    or category
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, frame_pkey, unit_once, unit_interval_pkey
-- budget: buffers <= 320000, rows read <= 60000
-- example: '{unit,marembe}', 'lyr_population', 'pop_demest26', 'frames', 'lga'
-- null: path, $5
with asked as materialized (  -- the version of the baseline, and whether the groups are parts of a unit
  select version, ($1::text[])[1] = 'unit' and $4::text = 'frames'
    and array_position('{state,lga,ward}'::text[], $5::text) >= cardinality($1::text[]) as are_parts
  from dataset
  where layer_id = $2::text
), part as (  -- the parts of the unit
  select array_remove(array[unit.state, unit.lga, unit.ward], null) as path, kept.lower, kept.upper
  from asked
  join unit on asked.are_parts and unit.level = $5::text
    and (cardinality($1::text[]) < 2 or unit.state = fold_name(($1::text[])[2]))
    and (cardinality($1::text[]) < 3 or unit.lga = fold_name(($1::text[])[3]))
    and (cardinality($1::text[]) < 4 or unit.ward = fold_name(($1::text[])[4]))
  cross join lateral (
    select lower, upper from unit_interval where version = asked.version and attribute = $3::text and unit_id = unit.unit_id limit 1
  ) as kept
), grouped as (  -- the frames of any other group
  select
    member.value as name, array_agg(member.frame_id::text) as ids,
    case when $4::text = 'frames' then (array[frame.state, frame.lga, frame.ward])[1:array_position('{state,lga,ward}'::text[], $5::text)] end as path
  from asked
  cross join frame_values(case when asked.are_parts then '{}' else frame_set($1::text[]) end, $4::text, $5::text) as member
  join frame using (frame_id)
  where member.value <> ''
  group by name, path
), bounded as (  -- one row for each group that has an interval
  select path[cardinality(path)] as name, path, lower, upper from part
  union all
  select grouped.name, grouped.path, bound.lower, bound.upper
  from grouped
  cross join lateral interval_of_set(grouped.ids, $2::text, $3::text) as bound
  where bound.draws is not null
)
select name as name, path as path, trim_scale(lower)::text as lower, trim_scale(upper)::text as upper
from bounded
order by name collate "C", path collate "C"

-- classes_of_unit: the classes of a category over the frames of a unit, the most common first.
--   $1 unit       text[]  state, LGA, ward; empty for the index
--   $2 layer      text
--   $3 attribute  text
-- index: frame_state_frame_id_idx, frame_state_lga_ward_frame_id_idx, attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 3000000, rows read <= 2000000
-- example: '{marembe,lakeside}', 'lyr_terrain', 'phy_landcov'
-- The service asks it about units of at most 50,000 frames.
with placed as materialized (  -- the frames of the unit; a branch whose level is another one is not run
  select found.frame_id
  from state
  cross join lateral (select * from frame where frame.state = state.state offset 0) as found
  where cardinality($1::text[]) = 0
  union all
  select frame_id from frame where cardinality($1::text[]) = 0 and state is null
  union all
  select frame_id from frame where cardinality($1::text[]) = 1 and state = fold_name(($1::text[])[1])
  union all
  select frame_id from frame
  where cardinality($1::text[]) = 2 and state = fold_name(($1::text[])[1]) and lga = fold_name(($1::text[])[2])
  union all
  select frame_id from frame
  where cardinality($1::text[]) = 3 and state = fold_name(($1::text[])[1]) and lga = fold_name(($1::text[])[2])
    and ward = fold_name(($1::text[])[3])
)
select
  found.value as class, count(*)::int as "classFrames", (sum(count(*)) over ())::int as recorded, (select count(*) from placed)::int as frames
from (select array_agg(frame_id) as ids from placed) as gathered
cross join lateral frame_values(gathered.ids, $2::text, $3::text) as found
group by found.value
order by count(*) desc, found.value collate "C"

-- frame_among: the number of a frame, its place in its LGA, and the mean over the frames of its state.
--   $1 id       bigint
--   $2 state    text  as the index has it
--   $3 lga      text
--   $4 layer    text
--   $5 subject  text  null counts features
--   $6 most     int   no place in an LGA of so many
-- index: frame_state_lga_frame_id_idx, attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey, unit_once, unit_total_pkey
-- budget: buffers <= 30000, rows read <= 30000
-- example: 324378020, 'MAREMBE', 'LAKESIDE', 'lyr_population', 'pop_demest26', 20000
-- null: place, mean, $5
with lga as materialized (  -- the frames of the LGA, read in the order of ids as in frames_in_lga.sql
  select array_agg(frame_id) as ids
  from (
    select frame_id
    from frame
    where state = $2::text and (lga, frame_id) > ($3::text, -1) and (lga, frame_id) <= ($3::text, 9223372036854775807)
    order by frame.lga, frame.frame_id
    limit $6::int
  ) as ordered
), near as materialized (  -- those of them that record a number
  select found.frame_id, found.number
  from lga
  cross join lateral frame_values(case when cardinality(lga.ids) < $6::int then lga.ids else array[$1::bigint] end, $4::text, $5::text) as found
  where found.number is not null
), chosen as (  -- the version of the dataset that is served, and how its attribute is summed up
  select dataset.version, attribute.summary
  from dataset left join attribute on attribute.layer_id = dataset.layer_id and attribute.name = $5::text
  where dataset.layer_id = $4::text
), above as (  -- the mean of the state
  select
    case when chosen.summary in ('mean', 'weighted_mean') then total.number
      else total.number / case when $5::text is null then unit.frames else nullif(total.recorded, 0) end
    end as mean
  from chosen
  join unit on unit.level = 'state' and coalesce(unit.state, '') = $2::text and coalesce(unit.lga, '') = ''
  join unit_total as total
    on total.version = chosen.version and total.attribute = coalesce($5::text, 'features') and total.unit_id = unit.unit_id
)
select
  trim_scale(own.number)::text as number,
  case when cardinality(lga.ids) < $6::int then (select 1 + count(*) from near where near.number > own.number) end::int as place,
  (select count(*) from near)::int as frames,
  trim_scale(round(above.mean, greatest(2, coalesce(1 - floor(log(nullif(abs(above.mean), 0))), 2))::int))::text as mean
from near as own
cross join lga
left join above on true
where own.frame_id = $1::bigint

-- spread_of_parts: the spread of values over each part.
--   $1 unit     text[]  state, LGA, ward; empty for the index
--   $2 parts    text    a level; blank for the unit
--   $3 layer    text    or frames
--   $4 subject  text    null counts features
--   $5 measure  text    ranks the parts
-- index: frame_state_frame_id_idx, frame_state_lga_ward_frame_id_idx, attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey, unit_once, unit_total_pkey
-- budget: buffers <= 3000000, rows read <= 3000000
-- example: '{marembe}', 'lga', 'lyr_schools', null, 'mean'
with placed as materialized (  -- the frames of the unit; a branch whose level is another one is not run
  select found.frame_id, found.state, found.lga, found.ward, found.area_km2
  from state
  cross join lateral (select * from frame where frame.state = state.state offset 0) as found
  where cardinality($1::text[]) = 0
  union all
  select frame_id, state, lga, ward, area_km2 from frame where cardinality($1::text[]) = 0 and state is null
  union all
  select frame_id, state, lga, ward, area_km2 from frame
  where cardinality($1::text[]) = 1 and state = fold_name(($1::text[])[1])
  union all
  select frame_id, state, lga, ward, area_km2 from frame
  where cardinality($1::text[]) = 2 and state = fold_name(($1::text[])[1]) and lga = fold_name(($1::text[])[2])
  union all
  select frame_id, state, lga, ward, area_km2 from frame
  where cardinality($1::text[]) = 3 and state = fold_name(($1::text[])[1]) and lga = fold_name(($1::text[])[2])
    and ward = fold_name(($1::text[])[3])
), cell as materialized (  -- the same with the names of their part, and with a number where one is recorded
  select
    placed.frame_id, placed.area_km2, found.number,
    case when $2::text <> '' or cardinality($1::text[]) > 0 then placed.state end as state,
    case when $2::text in ('lga', 'ward') or cardinality($1::text[]) > 1 then placed.lga end as lga,
    case when $2::text = 'ward' or cardinality($1::text[]) > 2 then placed.ward end as ward
  from (select array_agg(frame_id) as ids from placed) as gathered
  cross join lateral frame_values(gathered.ids, $3::text, $4::text) as found
  right join placed using (frame_id)
), turned as (  -- the same with the turn of each number among those of its part
  select cell.*, row_number() over (part order by number) as turn, count(number) over part as numbers,
    min(number) over part as lowest, max(number) over part as highest
  from cell
  window part as (partition by state, lga, ward)
), each as (  -- one row for each part
  select
    state, lga, ward, count(*) as frames, count(number) as recorded,
    sum(number) as sum, avg(number) as mean, sum(area_km2) filter (where number is not null) as km2,
    avg(number) filter (where turn in ((numbers + 1) / 2, numbers / 2 + 1)) as median,
    min(lowest) as lowest, min(frame_id) filter (where number = lowest) as lowest_frame, count(*) filter (where number = lowest) as lowest_frames,
    max(highest) as highest, min(frame_id) filter (where number = highest) as highest_frame, count(*) filter (where number = highest) as highest_frames
  from turned
  group by state, lga, ward
), measured as (  -- the same with the density: unit_total counts a feature of several frames once
  select each.*, case when asked.kind <> 'frames' then coalesce(total.number, 0) else each.sum end / nullif(km2, 0) as density
  from each
  left join dataset as asked on asked.layer_id = $3::text
  left join lateral (
    select unit_total.number
    from unit
    join unit_total on unit_total.version = asked.version and unit_total.attribute = 'features' and unit_total.unit_id = unit.unit_id
    where unit.level = case when each.ward is not null then 'ward' when each.lga is not null then 'lga' when each.state is not null then 'state' else 'country' end
      and coalesce(unit.state, '') = coalesce(each.state, '') and coalesce(unit.lga, '') = coalesce(each.lga, '')
      and coalesce(unit.ward, '') = coalesce(each.ward, '') and coalesce(unit.block, -1) = -1
    limit 1
  ) as total on asked.kind <> 'frames'
  -- a frame that lies in no part is of none
  where $2::text = '' or case $2::text when 'state' then each.state when 'lga' then each.lga else each.ward end is not null
), rounded as (  -- quotients have 2 places, and a small density has two digits that are not zero
  select measured.*, case $5::text
      when 'per_km2' then round(density, greatest(2, coalesce(1 - floor(log(nullif(abs(density), 0))), 2))::int)
      when 'sum' then case when $4::text = 'geom' then round(sum, 2) else sum end
      when 'mean' then round(mean, 2)
      when 'median' then round(median, 2)
      when 'min' then lowest
      when 'max' then highest
    end as number
  from measured
)
select
  state as state, lga as lga, ward as ward, frames::int as frames, recorded::int as recorded, trim_scale(number)::text as number,
  trim_scale(round(km2, 2))::text as km2, trim_scale(highest - lowest)::text as range,
  trim_scale(lowest)::text as lowest, lowest_frame::text as "lowestFrame", lowest_frames::int as "lowestFrames",
  trim_scale(highest)::text as highest, highest_frame::text as "highestFrame", highest_frames::int as "highestFrames",
  (rank() over (order by number desc nulls last))::int as "fromTop", (rank() over (order by number nulls last))::int as "fromBottom"
from rounded
order by rounded.number desc nulls last, rounded.state collate "C", rounded.lga collate "C", rounded.ward collate "C"

-- spread_of_box: the spread of values over the frames that touch a box.
--   $1 min_lon  float8  degrees
--   $2 min_lat  float8
--   $3 max_lon  float8
--   $4 max_lat  float8
--   $5 layer    text
--   $6 subject  text    null counts features
--   $7 measure  text    mean, median, min, max or per_km2
-- index: frame_geom_idx, attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 3000000, rows read <= 3000000
-- example: -0.35, -0.35, 0.35, 0.35, 'lyr_population', 'pop_demest26', 'mean'
-- The service asks it about at most 50,000 frames.
with touched as materialized (  -- the frames of the box
  select frame_id, area_km2 from frame
  where ST_Intersects(frame.geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))
), cell as materialized (  -- the same with a number where one is recorded
  select frame_id, touched.area_km2, found.number
  from (select array_agg(frame_id) as ids from touched) as gathered
  cross join lateral frame_values(gathered.ids, $5::text, $6::text) as found
  -- only a hash or a merge makes a full join; the loop that the planner takes for few frames lasts seconds for 10,000
  full join touched using (frame_id)
), turned as (  -- the same with the turn of each number
  select cell.*, row_number() over (order by number) as turn, count(number) over () as numbers, min(number) over () as lowest,
    max(number) over () as highest
  from cell
), whole as (  -- one row for the box
  select
    count(*) as frames, count(number) as recorded, sum(number) as sum, avg(number) as mean,
    sum(area_km2) filter (where number is not null) as km2,
    avg(number) filter (where turn in ((numbers + 1) / 2, numbers / 2 + 1)) as median,
    min(lowest) as lowest, min(frame_id) filter (where number = lowest) as lowest_frame, count(*) filter (where number = lowest) as lowest_frames,
    max(highest) as highest, min(frame_id) filter (where number = highest) as highest_frame, count(*) filter (where number = highest) as highest_frames
  from turned
), measured as (  -- the same with the density of the frames that record a number
  select whole.*, sum / nullif(km2, 0) as density from whole
)
select
  frames::int as frames, recorded::int as recorded,
  trim_scale(case $7::text
    when 'per_km2' then round(density, greatest(2, coalesce(1 - floor(log(nullif(abs(density), 0))), 2))::int)
    when 'mean' then round(mean, 2)
    when 'median' then round(median, 2)
    when 'min' then lowest
    when 'max' then highest
  end)::text as number,
  trim_scale(round(km2, 2))::text as km2, trim_scale(highest - lowest)::text as range,
  trim_scale(lowest)::text as lowest, lowest_frame::text as "lowestFrame", lowest_frames::int as "lowestFrames",
  trim_scale(highest)::text as highest, highest_frame::text as "highestFrame", highest_frames::int as "highestFrames"
from measured

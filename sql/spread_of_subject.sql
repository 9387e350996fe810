-- spread_of_subject: total, mean, median, extremes and density of a subject over frames.
--   $1 frames   text[]  a frame_set
--   $2 layer    text
--   $3 subject  text
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 200 + 20 * frames, rows read <= 1600
-- at worst: buffers <= 4500, rows read <= 6000
-- example: '{322074005,322074006}', 'lyr_population', 'pop_demest26'
-- Quotients have 2 places. The density is over the frames with a number.
-- null: total, mean, median, lowest, lowestFrame, highest, highestFrame, range, area, exactArea, density, $3
with valued as materialized (  -- one row for each frame with a number, the highest first
  select frame_id, number, row_number() over (order by number desc, frame_id) as turn
  from frame_values(frame_set($1::text[]), $2::text, $3::text)
  where number is not null
), spread as (  -- one row, with the figures of the numbers
  select array_agg(frame_id) as ids, count(*) as recorded, avg(number) as mean, min(number) as lowest, max(number) as highest,
    avg(number) filter (where turn in ((select (count(*) + 1) / 2 from valued), (select count(*) / 2 + 1 from valued))) as median
  from valued
), extreme as (  -- one row, with the frames that share the extremes
  select
    min(frame_id) filter (where number = spread.lowest) as lowest_frame, count(*) filter (where number = spread.lowest) as lowest_frames,
    min(frame_id) filter (where number = spread.highest) as highest_frame, count(*) filter (where number = spread.highest) as highest_frames
  from valued
  cross join spread
), land as (  -- one row, with the land of the frames
  select sum(area_km2) as km2 from valued join frame using (frame_id)
)
select
  spread.recorded::int as recorded,
  trim_scale(whole.total)::text as total, trim_scale(round(mean, 2))::text as mean, trim_scale(round(median, 2))::text as median,
  trim_scale(lowest)::text as lowest, lowest_frame::text as "lowestFrame", lowest_frames::int as "lowestFrames",
  trim_scale(highest)::text as highest, highest_frame::text as "highestFrame", highest_frames::int as "highestFrames",
  trim_scale(highest - lowest)::text as range,
  trim_scale(round(km2, 2))::text as area, trim_scale(km2)::text as "exactArea",
  -- a small density has two digits that are not zero
  trim_scale(round(quotient, greatest(2, coalesce(1 - floor(log(nullif(abs(quotient), 0))), 2))::int))::text as density
from spread
cross join extreme
cross join land
cross join lateral frames_total(spread.ids, $2::text, $3::text) as whole
cross join lateral (select whole.total / nullif(km2, 0) as quotient) as divided

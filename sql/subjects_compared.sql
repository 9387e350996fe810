-- subjects_compared: the totals of two subjects, their ratio, and the change from the other.
--   $1 frames  text[]
--   $2 layer  text
--   $3 subject  text
--   $4 other_layer  text
--   $5 other_subject  text
--   $6 each  boolean  over its own frames, not over those with both
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 200 + 40 * frames, rows read <= 4500
-- at worst: buffers <= 15000, rows read <= 12000
-- example: '{322074005,322074006}', 'lyr_population', 'pop_demest26', 'lyr_population', 'pop_demest25', false
-- null: total, otherTotal, ratio, difference, percent, mean, otherMean, meanDifference, meanPercent, $3, $5
with compared as (  -- one row: the frames that are compared, and the means over them
  select array_agg(frame_id) as ids, count(one.number) as recorded, count(other.number) as other_recorded,
    avg(one.number) as mean, avg(other.number) as other_mean
  from frame_values(frame_set($1::text[]), $2::text, $3::text) as one
  full join frame_values(frame_set($1::text[]), $4::text, $5::text) as other using (frame_id)
  where $6::boolean or (one.number is not null and other.number is not null)
)
select
  recorded::int as recorded, other_recorded::int as "otherRecorded",
  trim_scale(one.total)::text as total, trim_scale(other.total)::text as "otherTotal",
  -- a small ratio has two digits that are not zero
  trim_scale(round(quotient, greatest(2, coalesce(1 - floor(log(nullif(abs(quotient), 0))), 2))::int))::text as ratio,
  trim_scale(one.total - other.total)::text as difference,
  trim_scale(round(100 * (one.total - other.total) / nullif(abs(other.total), 0), 1))::text as percent,
  trim_scale(round(mean, 2))::text as mean, trim_scale(round(other_mean, 2))::text as "otherMean",
  trim_scale(round(mean - other_mean, 2))::text as "meanDifference",
  trim_scale(round(100 * (mean - other_mean) / nullif(abs(other_mean), 0), 1))::text as "meanPercent"
from compared
cross join lateral frames_total(compared.ids, $2::text, $3::text) as one
cross join lateral frames_total(compared.ids, $4::text, $5::text) as other
-- a quotient by zero is null
cross join lateral (select one.total / nullif(other.total, 0) as quotient) as divided

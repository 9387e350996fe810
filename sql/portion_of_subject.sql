-- portion_of_subject: the part of the total of a subject that some of the frames have.
--   $1 frames   text[]  a frame_set
--   $2 layer    text
--   $3 subject  text
--   $4 some    text[]  some of them
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 200 + 40 * frames, rows read <= 4500
-- at worst: buffers <= 8500, rows read <= 12000
-- example: '{322074005,322074006}', 'lyr_population', 'pop_demest26', '{322074005}'
-- null: total, percent, $3
select
  (select count(number) from frame_values(frame_set($1::text[]), $2::text, $3::text) as valued)::int as recorded,
  -- areas have 2 places
  trim_scale(case when $3::text = 'geom' then round(coalesce(part.total, 0), 2) else coalesce(part.total, 0) end)::text as part,
  trim_scale(case when $3::text = 'geom' then round(whole.total, 2) else whole.total end)::text as total,
  -- a small part has two digits that are not zero
  trim_scale(round(percent, greatest(1, coalesce(1 - floor(log(nullif(abs(percent), 0))), 1))::int))::text as percent
from frames_total(frame_set($1::text[]), $2::text, $3::text) as whole
cross join frames_total(frame_set($4::text[]), $2::text, $3::text) as part
cross join lateral (select 100 * coalesce(part.total, 0) / nullif(whole.total, 0) as percent) as divided

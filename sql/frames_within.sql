-- frames_within: the frames whose number of a subject lies within bounds.
--   $1 frames    text[]
--   $2 layer     text
--   $3 subject   text
--   $4 above     numeric  or -Infinity
--   $5 at_least  numeric
--   $6 below     numeric  or Infinity
--   $7 at_most   numeric
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 100 + 8 * frames, rows read <= 400 + 20 * frames
-- at worst: buffers <= 3000, rows read <= 3000
-- example: '{322074005,322074006}', 'lyr_population', 'pop_demest26', 5000, '-Infinity', 'Infinity', 'Infinity'
-- null: $3
select
  count(number)::int as recorded,
  coalesce(array_agg(frame_id::text order by place) filter (
    where number > $4::numeric and number >= $5::numeric and number < $6::numeric and number <= $7::numeric
  ), '{}') as ids
from frame_values(frame_set($1::text[]), $2::text, $3::text)

-- frames_of_class: the frames that record one class of a category, and those that record another.
--   $1 frames   text[]  a frame_set
--   $2 layer    text      a baseline, or frames for the index
--   $3 subject  text      an attribute, or state, lga or ward of the index
--   $4 value    text
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 100 + 8 * frames, rows read <= 400 + 20 * frames
-- at worst: buffers <= 3000, rows read <= 3000
-- example: '{322074005,322074006}', 'lyr_culture', 'cul_rururb', 'Urban'
-- null: $3
select
  count(value)::int as recorded,
  coalesce(array_agg(frame_id::text order by place) filter (where value = $4::text), '{}') as ids,
  coalesce(array_agg(frame_id::text order by place) filter (where value <> $4::text), '{}') as others
from frame_values(frame_set($1::text[]), $2::text, $3::text)

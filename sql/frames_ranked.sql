-- frames_ranked: the frames that record a number of a subject, the highest first; frames of one number share a rank.
--   $1 frames   text[]  a frame_set
--   $2 layer    text      a dataset, or frames for the index
--   $3 subject  text      as for function frame_values
-- index: attribute_pkey, baseline_row_pkey, feature_frame_pkey, feature_pkey, frame_pkey
-- budget: buffers <= 100 + 8 * frames, rows read <= 400 + 20 * frames
-- at worst: buffers <= 3000, rows read <= 3000
-- example: '{322074005,322074006}', 'lyr_population', 'pop_demest26'
-- null: $3
select
  valued.frame_id::text as "frameId",
  trim_scale(valued.number)::text as number,
  (rank() over (order by valued.number desc))::int as highest,
  (rank() over (order by valued.number))::int as lowest
from frame_values(frame_set($1::text[]), $2::text, $3::text) as valued
where valued.number is not null
order by valued.number desc, valued.frame_id

-- frames_in_state: a page of the frames of a state, in id order.
--   $1 state  text    any case
--   $2 after  bigint  frame id the page comes after; -1 for the first page
--   $3 most   int     rows at the most
-- index: frame_state_frame_id_idx
-- budget: buffers <= 6 + 0.4 * rows, rows read <= 1 + rows
-- Compared as rows, so that only this index is in the order asked for: with plain equalities the planner may walk
-- the primary key instead, through every frame of lower id.
select frame_id::text as id, geojson as geometry
from frame
where (state, frame_id) > (fold_name($1::text), $2::bigint)
  and (state, frame_id) <= (fold_name($1::text), 9223372036854775807)
order by frame.state, frame.frame_id
limit $3::int

-- frames_in_lga: a page of the frames of a local government area, in id order.
--   $1 state  text    any case
--   $2 lga    text    any case
--   $3 after  bigint  frame id the page comes after; -1 for the first page
--   $4 most   int     rows at the most
-- index: frame_state_lga_frame_id_idx
-- budget: buffers <= 6 + 0.5 * rows, rows read <= 1 + rows
-- Compared as rows, so that only this index is in the order asked for: with plain equalities the planner may walk
-- the primary key instead, through every frame of lower id.
select frame_id::text as id, geojson as geometry
from frame
where state = fold_name($1::text)
  and (lga, frame_id) > (fold_name($2::text), $3::bigint)
  and (lga, frame_id) <= (fold_name($2::text), 9223372036854775807)
order by frame.lga, frame.frame_id
limit $4::int

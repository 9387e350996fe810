-- frames_in_ward: a page of the frames of a ward, in id order.
--   $1 state  text    any case
--   $2 lga    text    any case
--   $3 ward   text    any case
--   $4 after  bigint  frame id the page comes after; -1 for the first page
--   $5 most   int     rows at the most
-- index: frame_state_lga_ward_frame_id_idx
-- budget: buffers <= 4 + 0.4 * rows, rows read <= 1 + rows
-- Compared as rows, so that only this index is in the order asked for: with plain equalities the planner may walk
-- the primary key instead, through every frame of lower id.
select frame_id::text as id, geojson as geometry
from frame
where state = fold_name($1::text)
  and lga = fold_name($2::text)
  and (ward, frame_id) > (fold_name($3::text), $4::bigint)
  and (ward, frame_id) <= (fold_name($3::text), 9223372036854775807)
order by frame.ward, frame.frame_id
limit $5::int

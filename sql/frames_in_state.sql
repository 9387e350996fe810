-- frames_in_state: a page of the frames of a state, in id order.
--   $1 state  text    any case
--   $2 after  bigint  frame id the page comes after; -1 for the first page
--   $3 most   int     rows at the most
-- index: frame_state_frame_id_idx
select frame_id::text as id, geojson as geometry
from frame
where state = fold_name($1::text) and frame_id > $2::bigint
order by frame.frame_id
limit $3::int

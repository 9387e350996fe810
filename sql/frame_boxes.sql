-- frame_boxes: the bounding boxes of frames; no row for an id that the index does not know.
--   $1 ids  bigint[]  frame ids, each once
-- index: frame_pkey
-- budget: buffers <= 2 + 5 * ids, rows read <= ids
-- example: '{322074005,322074006}'
select asked.place::int as place, frame.bbox as bbox
from unnest($1::bigint[]) with ordinality as asked (frame_id, place)
join frame using (frame_id)

-- frames_in_state: a page of the frames of a state, in the order of ids, joined into one text of GeoJSON.
--   $1 state  text    any case
--   $2 after  bigint  frame id the page comes after; -1 for the first page
--   $3 most   int     frames at the most
-- index: frame_state_frame_id_idx
-- budget: buffers <= 6 + 0.4 * rows, rows read <= 1 + rows
-- example: 'marembe', -1, 3
-- null: next
with page as (  -- the frames of the page, in the order of ids
  select frame_id, geojson
  from frame
  -- compared as rows, so that only this index has the order: with plain equalities the planner may walk the primary
  -- key, through every frame of a lower id; 9223372036854775807 is the largest bigint
  where (state, frame_id) > (fold_name($1::text), $2::bigint)
    and (state, frame_id) <= (fold_name($1::text), 9223372036854775807)
  order by frame.state, frame.frame_id
  limit $3::int
)
select
  coalesce(
    string_agg('{"type":"Feature","id":"' || frame_id || '","geometry":' || geojson || ',"properties":{}}', ','),
    ''
  ) as features,
  -- the id that the next page comes after: the last of this one, where a frame follows it
  case when (
    select follows.frame_id
    from frame as follows
    where (state, follows.frame_id) > (fold_name($1::text), max(page.frame_id))
      and (state, follows.frame_id) <= (fold_name($1::text), 9223372036854775807)
    order by follows.state, follows.frame_id
    limit 1
  ) is not null then max(page.frame_id) end as next
from page

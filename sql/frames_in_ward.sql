-- frames_in_ward: a page of the frames of a ward, in the order of ids, joined into one text of GeoJSON.
--   $1 state  text    any case
--   $2 lga    text    any case
--   $3 ward   text    any case
--   $4 after  bigint  frame id the page comes after; -1 for the first page
--   $5 most   int     frames at the most
-- index: frame_state_lga_ward_frame_id_idx
-- budget: buffers <= 8 + 0.4 * rows, rows read <= 1 + rows
-- example: 'marembe', 'lakeside', 'lake island', -1, 3
-- null: next
with page as (  -- the frames of the page, in the order of ids
  select frame_id, geojson
  from frame
  -- compared as rows, so that only this index has the order: with plain equalities the planner may walk the primary
  -- key, through every frame of a lower id; 9223372036854775807 is the largest bigint
  where state = fold_name($1::text)
    and lga = fold_name($2::text)
    and (ward, frame_id) > (fold_name($3::text), $4::bigint)
    and (ward, frame_id) <= (fold_name($3::text), 9223372036854775807)
  order by frame.ward, frame.frame_id
  limit $5::int
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
    where state = fold_name($1::text)
      and lga = fold_name($2::text)
      and (ward, follows.frame_id) > (fold_name($3::text), max(page.frame_id))
      and (ward, follows.frame_id) <= (fold_name($3::text), 9223372036854775807)
    order by follows.ward, follows.frame_id
    limit 1
  ) is not null then max(page.frame_id) end as next
from page

-- units_page: the next frames, each with the line of its unit and the parts of the unit before it and up to it.
--   $1 after  bigint  the last frame of the page before
--   $2 most   int     frames of a page
-- example: '-1', 10
select frame_id::text as id, line::int as line, before as before, upto as upto from staging.unit_frame where frame_id > $1::bigint order by frame_id limit $2::int

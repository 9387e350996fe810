-- raster_window: a page of the staged frames whose upper left corner is in a window of a raster, in the order of ids.
--   $1 window  int
--   $2 after   bigint  the last id of the page before
--   $3 most    int     frames of a page
-- example: 0, '-1', 10
-- raster_frames stages them.
select frame_id::text as id, ST_AsGeoJSON(shape, 12) as shape
from staging.raster_frame
where window_number = $1::int and frame_id > $2::bigint
order by frame_id
limit $3::int

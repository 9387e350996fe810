-- extent_of_index: the corners of all frames, nulls where there are none, and the runs of 256 frames.
-- budget: buffers <= 200, rows read <= 4000
-- Runs of frames keep their extents, so that no frame is read.
-- null: minLon, minLat, maxLon, maxLat
select
  ST_XMin(whole.extent)::float8 as "minLon",
  ST_YMin(whole.extent)::float8 as "minLat",
  ST_XMax(whole.extent)::float8 as "maxLon",
  ST_YMax(whole.extent)::float8 as "maxLat",
  whole.runs::int as runs
from (select ST_Extent(extent) as extent, count(*) as runs from frame_run) as whole

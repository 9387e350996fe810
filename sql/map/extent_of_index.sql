-- extent_of_index: the corners of all frames, nulls where there are none, the runs of 256 frames, and whether frames are cells.
-- budget: buffers <= 200, rows read <= 4000
-- Runs of frames keep their extents, so that no frame is read. The id of a cell is 36,000 times its row and its column: the
-- frames of a run lie in the rows of its ids.
-- null: minLon, minLat, maxLon, maxLat
select
  ST_XMin(whole.extent)::float8 as "minLon",
  ST_YMin(whole.extent)::float8 as "minLat",
  ST_XMax(whole.extent)::float8 as "maxLon",
  ST_YMax(whole.extent)::float8 as "maxLat",
  whole.runs::int as runs,
  coalesce(whole.is_grid, false) as "isGrid"
from (
  select ST_Extent(extent) as extent, count(*) as runs,
    bool_and(
      ST_YMin(extent) between first_id / 36000 / 100.0 - 90.000001 and last_id / 36000 / 100.0 - 89.99
      and ST_YMax(extent) <= last_id / 36000 / 100.0 - 89.989999
    ) as is_grid
  from frame_run
) as whole

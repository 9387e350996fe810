-- run: cuts the staged frames, in the order of ids, into runs of 256 with the extent of each.
-- sql/frames_in_box.sql walks the runs of a large box.
insert into frame_run (first_id, last_id, extent)
select min(frame_id) as first_id, max(frame_id) as last_id, ST_SetSRID(ST_Extent(geom)::geometry, 4326) as extent
from (select frame_id, geom, (row_number() over (order by frame_id) - 1) / 256 as run from frame) as numbered
group by run
order by run

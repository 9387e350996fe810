-- run: cuts the staged frames, in id order, into runs of 256 with the extent of each.
insert into frame_run (first_id, last_id, extent)
select min(frame_id) as first_id, max(frame_id) as last_id, ST_SetSRID(ST_Extent(geom)::geometry, 4326) as extent
from (select frame_id, geom, (row_number() over (order by frame_id) - 1) / 256 as run from frame) as numbered
group by run
order by run

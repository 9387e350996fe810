-- sources_drop: drops the tables that the staged frames were made from, before the rest of the index takes its room.
-- They take 15 GB for 75 million frames.
drop table if exists staging.tile, staging.cell, staging.ward_area, staging.frame_source

-- sources_drop: drops the tables that the staged frames were made from, before the rest of the index takes its room.
-- Of 75 million frames they have 15 GB.
drop table if exists staging.tile, staging.cell, staging.ward_area, staging.frame_source

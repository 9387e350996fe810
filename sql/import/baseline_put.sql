-- baseline_put: keeps the staged rows, under a version that nobody reads yet.
--   $1 version  bigint
-- example: 1000000
insert into baseline_row (version, frame_id, recorded)
select $1::bigint, frame_id, recorded::json from staging.baseline_source order by frame_id

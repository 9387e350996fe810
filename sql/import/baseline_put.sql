-- baseline_put: makes rows of those taken in, under a version of their own, which nobody reads yet.
--   $1 version  bigint
insert into baseline_row (version, frame_id, recorded)
select $1::bigint, frame_id, recorded::json from staging.baseline_source order by frame_id

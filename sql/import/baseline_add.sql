-- baseline_add: takes in rows of a baseline file, as they came.
--   $1 lines     bigint[]
--   $2 ids       bigint[]  frame ids
--   $3 recorded  text[]    JSON objects of attributes and their values
insert into staging.baseline_source (line, frame_id, recorded)
select line, frame_id, recorded from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (line, frame_id, recorded)

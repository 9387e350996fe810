-- baseline_add: stages rows of a baseline file.
--   $1 lines     bigint[]
--   $2 ids       bigint[]  frame ids
--   $3 recorded  text[]    JSON objects of attributes and their values
-- example: '{2}', '{322074005}', '{"{\"people\": \"7\"}"}'
insert into staging.baseline_source (line, frame_id, recorded)
select line, frame_id, recorded from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (line, frame_id, recorded)

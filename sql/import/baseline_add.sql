-- baseline_add: stages rows of a baseline file.
--   $1 lines     text  numbers, such as {2,3}
--   $2 ids       text  frame ids, such as {322074005,322074006}
--   $3 recorded  text  JSON objects of attributes and their values, one on each line
--   $4 numbers   text  arrays of the same values, one on each line, with null for what is no plain number
-- example: '{2}', '{322074005}', '{"people": "7"}', '{7}'
-- Lists of numbers and one long text cost the client a third of what an array of texts does, which it has to quote.
insert into staging.baseline_source (line, frame_id, recorded, numbers)
select unnest($1::text::bigint[]), unnest($2::text::bigint[]), unnest(string_to_array($3::text, E'\n')), unnest(string_to_array($4::text, E'\n'))::numeric[]

-- intervals_add: stages the bounds or the draws of values of a baseline file.
--   $1 rows  text  JSON array of {id, attribute, lower, upper, draws}; draws are text such as {1,2,3}
-- example: '[{"id":"322074005","attribute":"people","lower":"5","upper":"9","draws":null}]'
insert into staging.interval_source (frame_id, attribute, lower, upper, draws)
select id, attribute, lower, upper, draws::numeric[]
from json_to_recordset($1::text::json) as given (id bigint, attribute text, lower numeric, upper numeric, draws text)

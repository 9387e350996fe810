-- units_add: stages the units of a table, with their names folded.
--   $1 rows  text  JSON array of {line, state, lga, ward}
-- example: '[{"line":2,"ward":"Old Market"}]'
insert into staging.unit_source (line, state, lga, ward)
select line, nullif(fold_name(state), ''), nullif(fold_name(lga), ''), nullif(fold_name(ward), '')
from json_to_recordset($1::text::json) as given (line bigint, state text, lga text, ward text)

-- switch: puts the staged index in place of the served one, and answers its generation.
--   $1 source  text  what the index was made from
-- example: 'imported from grid.geojson'
select staging_switch($1::text)::text as generation

-- distances_put: adds a row for each frame with its distance to the nearest feature of a version, under a version of its own.
--   $1 features  bigint
--   $2 version   bigint
--   $3 subject   text    begins the names of its attributes
-- example: 1000000, 1000001, 'wells'
select distances_put($1::bigint, $2::bigint, $3::text) as added

-- rows_keep: keeps the rows of a baseline as numbers and texts, as an import does.
--   $1 layer  text
-- example: 'lyr_population'
select value_rows_keep($1::text) as kept

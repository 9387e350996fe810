-- totals_keep: keeps the totals of a dataset over units, and the spread of its values.
--   $1 layer  text
-- example: 'lyr_population'
select totals_keep($1::text) as kept

-- classes_keep: keeps the classes of a dataset's categories and the properties of its features, as its rows have them.
--   $1 layer  text
-- example: 'lyr_population'
select classes_keep($1::text) as kept

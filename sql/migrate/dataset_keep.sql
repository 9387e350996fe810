-- dataset_keep: keeps the classes of a dataset, its arrays and its totals, as an import does.
--   $1 layer  text
-- example: 'lyr_population'
with classed as materialized (  -- totals count the classes
  select classes_keep($1::text) as kept
)
select totals_keep($1::text) as kept from classed

-- totals: keeps the arrays of the staged index and of every dataset, its totals over the staged units, and the spread of its values.
with index as materialized (  -- one row
  select arrays_keep('frames') as kept
)
select totals_keep(layer_id) as kept from dataset, index order by layer_id

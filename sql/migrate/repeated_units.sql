-- repeated_units: makes the classes and totals of attributes that repeat units of one name, where no release has looked.
with looked as materialized (  -- one row for each dataset; true where it has such an attribute
  select layer_id, repeated_units_keep(layer_id) as has_any
  from dataset
  where exists (select from attribute where attribute.layer_id = dataset.layer_id and shared is null)
), kept as materialized (  -- those that have one
  select classes_keep(layer_id) as classes, totals_keep(layer_id) as totals from looked where has_any
)
update index_generation set generation = generation + 1 where exists (select from kept)

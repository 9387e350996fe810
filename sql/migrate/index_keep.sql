-- index_keep: makes the units anew, places the frames in them and in their order, and keeps the arrays of the index.
-- Callers have figures that an older release did not: their copies of its answers end with the generation.
with unit_made as materialized (  -- each step is one row
  select derived_keep('unit') as kept
), placed as materialized (  -- frames are placed in the units
  select derived_keep('frame_unit') as kept from unit_made
), ordered as materialized (  -- and follow the order of these
  select derived_keep('frame_order') as kept from placed
), index as materialized (  -- the arrays of the index follow the order
  select arrays_keep('frames') as kept from ordered
)
update index_generation set generation = generation + 1 where exists (select from index) and exists (select from frame)

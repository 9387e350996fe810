-- totals: makes the units and the totals anew where an older release, which keeps fewer figures, made the index.
-- Its blocks have no land, or its frames are not placed.
with unit_made as materialized (  -- one row if the units were made now
  select derived_keep('unit') as kept
  where not exists (select from unit where level = 'block' and km2 is not null) or not exists (select from frame_unit)
), made as materialized (  -- one row if the frames were placed in them; totals are made from both
  select derived_keep('frame_unit') as kept from unit_made
)
select totals_keep(layer_id) as kept from dataset where exists (select from made)

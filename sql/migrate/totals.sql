-- totals: makes the units and the totals of an index whose blocks have no land: a release that kept less made them.
with made as materialized (  -- one row if the units were made now; totals are made from them
  select units_keep() as kept where not exists (select from unit where level = 'block' and km2 is not null)
)
select totals_keep(layer_id) as kept from dataset where exists (select from made)

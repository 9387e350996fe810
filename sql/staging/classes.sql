-- classes: makes the classes of a baseline anew where it repeats the names of units, and the staged units share others.
select classes_keep(layer_id) as kept from dataset where kind = 'frames' and repeated_units_keep(layer_id) order by layer_id

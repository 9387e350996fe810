-- totals: makes the totals of every dataset over the staged units, and the spread of its values over the staged frames.
select totals_keep(layer_id) as kept from dataset order by layer_id

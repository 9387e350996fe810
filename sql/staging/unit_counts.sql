-- unit_counts: counts the staged frames of each state, area and ward.
select unit_counts_keep() as kept

-- unit: fills the staged table of units, whose land has its numbers already, and counts their frames.
select units_keep() as kept

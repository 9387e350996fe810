-- unit_names: the names of the states, LGAs and wards of the index, each once for its level.
-- budget: buffers <= 600, rows read <= 40000
-- reads all of: ward
-- Reads the whole table, which is small.
-- kind: level state|lga|ward
select 'state' as level, state as name from state
union
select 'lga' as level, lga as name from lga
union
select 'ward' as level, ward as name from ward

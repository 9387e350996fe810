-- unit_names: the names of the states, LGAs and wards of the index, each once for its level, and how many units have it.
-- budget: buffers <= 600, rows read <= 40000
-- reads all of: ward
-- Reads the whole table, which is small.
-- kind: level state|lga|ward
select 'state' as level, state as name, count(*)::int as units from state group by state
union all
select 'lga' as level, lga as name, count(*)::int as units from lga group by lga
union all
select 'ward' as level, ward as name, count(*)::int as units from ward group by ward

-- admin_tree_of_state: the wards of a state, with their areas and the state, one row for each, by name.
--   $1 state  text  any case
-- index: lga_pkey, ward_pkey
-- budget: buffers <= 10 + 0.6 * rows, rows read <= 60 + 1.2 * rows
-- example: 'marembe'
-- An area without wards gives one row without a ward.
-- null: stateCode, zone, zoneCode, lgaCode, ward, wardCode, wardFrames
select
  state.state as state,
  state.state_code as "stateCode",
  state.zone as zone,
  state.zone_code as "zoneCode",
  state.frames::int as "stateFrames",
  lga.lga as lga,
  lga.lga_code as "lgaCode",
  lga.frames::int as "lgaFrames",
  ward.ward as ward,
  ward.ward_code as "wardCode",
  ward.frames::int as "wardFrames"
from state
join lga using (state)
left join ward using (state, lga)
where state.state = fold_name($1::text)
order by lga.lga collate "C", ward.ward collate "C"

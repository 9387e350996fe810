-- admin_tree_of_lga: the wards of a local government area, with the area and its state, one row for each, by name.
--   $1 state  text  any case
--   $2 lga    text  any case
-- index: lga_pkey, ward_pkey
-- budget: buffers <= 10 + 2 * rows, rows read <= 50 + 2 * rows
-- example: 'marembe', 'lakeside'
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
where state.state = fold_name($1::text) and lga.lga = fold_name($2::text)
order by ward.ward collate "C"

-- admin_tree: states with their local government areas, a row an area, by name.
-- index: state_pkey, lga_pkey
select
  state.state as state,
  state.state_code as "stateCode",
  state.zone as zone,
  state.zone_code as "zoneCode",
  state.frames::int as "stateFrames",
  lga.lga as lga,
  lga.lga_code as "lgaCode",
  lga.frames::int as "lgaFrames"
from state
join lga using (state)
order by state.state collate "C", lga.lga collate "C"

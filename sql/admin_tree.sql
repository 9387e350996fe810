-- admin_tree: every local government area with its state, one row for each, by name.
-- budget: buffers <= 5 + 0.02 * rows, rows read <= 100 + rows
-- Reads both tables, which are small.
-- null: stateCode, zone, zoneCode, lgaCode
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

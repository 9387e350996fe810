-- states: every state that holds frames, by name.
-- budget: buffers <= 2, rows read <= rows
-- Reads the whole table, which is small.
-- null: stateCode, zone, zoneCode
select
  state as state,
  state_code as "stateCode",
  zone as zone,
  zone_code as "zoneCode",
  frames::int as frames
from state
order by state collate "C"

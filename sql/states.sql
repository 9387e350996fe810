-- states: every state that holds frames, by name.
-- index: state_pkey
select
  state as state,
  state_code as "stateCode",
  zone as zone,
  zone_code as "zoneCode",
  frames::int as frames
from state
order by state collate "C"

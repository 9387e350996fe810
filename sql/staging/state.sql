-- state: adds up the frames of each state from table unit_count, and keeps the lowest of differing codes.
insert into state (state, state_code, zone, zone_code, frames)
select state, min(state_code) as state_code, min(zone) as zone, min(zone_code) as zone_code, sum(frames) as frames
from unit_count group by state

-- state: counts the staged frames of each state, and keeps the lowest of differing codes.
insert into state (state, state_code, zone, zone_code, frames)
select state, min(state_code) as state_code, min(zone) as zone, min(zone_code) as zone_code, count(*) as frames
from frame where state is not null group by state

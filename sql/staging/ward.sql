-- ward: counts the staged frames of each ward, and keeps the lowest of differing codes.
-- Rows go in by name, so that those of a state lie on few pages.
insert into ward (state, lga, ward, ward_code, frames)
select state, lga, ward, min(ward_code) as ward_code, count(*) as frames
from frame where ward is not null group by state, lga, ward
order by state, lga, ward
